:- assertz((last(L, X) :- append(_, [X], L), ! ; true)).
:- use_module(m1).
r(_) :- last([a, b], _).
s(_) :- mm(_).
