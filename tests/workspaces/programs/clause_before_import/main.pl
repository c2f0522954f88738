:- use_module(m2).
:- use_module(m1).
r(_) :- p(_).
