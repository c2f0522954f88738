:- module(two, [further/1, by_name/1]).
:- use_module(one).
further(Xs) :- nonvar(Xs), each(help, Xs), maplist(help, Xs), forall(member(X, Xs), help(X)), ( Xs = [_|Ys] -> down(Ys) ; true ).
by_name(Xs) :- nonvar(Xs), P = help, maplist(P, Xs), ( Xs = [_|Ys] -> bound(Ys) ; true ).
help(_) :- more(_).
more(_).
