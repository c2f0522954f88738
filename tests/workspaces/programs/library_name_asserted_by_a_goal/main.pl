:- use_module(m1).
r(_) :- learn, mm(_).
