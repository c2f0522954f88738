:- module(odd, [odd/1]).
:- use_module(even).
odd(Xs) :- nonvar(Xs), step(Xs).
step([_|Xs]) :- extra(_), even(Xs).
extra(_).
v(_) :- odd([a]).
