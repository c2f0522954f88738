:- use_module(m1).
:- dynamic last/2.
r(_) :- mm(_).
