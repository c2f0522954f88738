:- use_module(m1).
:- @(use_module(m3), m1).
r(_) :- mm(_).
