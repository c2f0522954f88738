:- use_module(m1).
:- m1:[extra].
r(_) :- q(_).
