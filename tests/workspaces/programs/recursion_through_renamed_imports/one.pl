:- module(one, [down/1, shared/1]).
:- use_module(two, [further/1 as on]).
down(Xs) :- nonvar(Xs), help(Xs), ( Xs = [_|Ys] -> on(Ys) ; true ).
help(_).
shared(_) :- help(_), help(_).
last(_, _) :- help(_), help(_), help(_).
