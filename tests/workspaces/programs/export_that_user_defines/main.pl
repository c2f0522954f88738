:- use_module(m1).

r(_) :- s(_).
