:- use_module(m2).
r(_) :- t(_).
