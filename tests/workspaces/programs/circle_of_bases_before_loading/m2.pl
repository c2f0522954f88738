:- module(m2, [s/1]).

s(_) :- last([a, b], _).
