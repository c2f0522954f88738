:- use_module(m3).
:- use_module(m2).
r(_) :- q(_).
s(_) :- last([a, b], _).
