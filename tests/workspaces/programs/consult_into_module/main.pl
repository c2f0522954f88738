:- use_module(m1).
:- m1:consult(extra).
r(_) :- q(_).
