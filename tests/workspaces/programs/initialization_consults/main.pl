:- use_module(m1).
:- initialization(consult(over)).
r(_) :- mm(_).
