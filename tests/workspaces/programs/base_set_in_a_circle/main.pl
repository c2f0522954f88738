:- use_module(m1).
:- consult(m2).

r(_) :- s(_).
