:- use_module(m1).
:- use_module(m2).
r(_) :- mm(_).
