:- use_module(m1).
:- use_module(m2).
r(_) :- q(_), s(_).
