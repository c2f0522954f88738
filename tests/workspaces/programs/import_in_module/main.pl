:- use_module(m1).
:- use_module(m3, []).
:- m1:import(m3:last/2).
r(_) :- mm(_).
