:- use_module(m1).
p(_) :- s(_).
s(_).
