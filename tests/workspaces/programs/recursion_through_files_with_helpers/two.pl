:- module(two, [further/1]).
:- use_module(one).
further(Xs) :- nonvar(Xs), help(Xs), shared(Xs), last([a], _), ( Xs = [_|Ys] -> down(Ys) ; true ).
help(_) :- more(_).
more(_).
