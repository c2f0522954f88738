:- use_module(m1).
:- use_module(m3, []).
:- set_module(m1:base(m3)).
r(_) :- mm(_).
