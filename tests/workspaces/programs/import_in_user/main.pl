:- use_module(m1).
:- use_module(m3, []).
:- user:import(m3:last/2).
r(_) :- mm(_).
