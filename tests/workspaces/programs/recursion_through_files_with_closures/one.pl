:- module(one, [down/1, each/2, bound/1]).
:- use_module(two).
:- meta_predicate each(1, ?).
down(Xs) :- nonvar(Xs), each(help, Xs), ( Xs = [_|Ys] -> further(Ys) ; true ).
bound(Xs) :- nonvar(Xs), ( Xs = [_|Ys] -> by_name(Ys) ; true ).
each(_, []).
each(G, [X|Xs]) :- call(G, X), each(G, Xs).
help(_).
