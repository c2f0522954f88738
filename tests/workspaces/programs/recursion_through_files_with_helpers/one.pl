:- module(one, [down/1, shared/1]).
:- use_module(two).
down(Xs) :- nonvar(Xs), help(Xs), ( Xs = [_|Ys] -> further(Ys) ; true ).
help(_).
shared(_) :- help(_), help(_).
last(_, _) :- help(_), help(_), help(_).
