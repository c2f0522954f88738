:- use_module(m1).
:- use_module(m3).
r(_) :- mm(_).
