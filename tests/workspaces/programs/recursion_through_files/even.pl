:- module(even, [even/1]).
:- use_module(odd).
even(Xs) :- nonvar(Xs), step(Xs).
step([]).
step([_|Xs]) :- odd(Xs).
u(_) :- even([a, b]).
