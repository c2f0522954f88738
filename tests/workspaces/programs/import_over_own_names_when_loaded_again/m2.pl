:- module(m2, []).
:- reexport(m3).
t(_) :- last([a, b], _).
