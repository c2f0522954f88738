:- m2:reexport(m1).
:- use_module(m2).
r(_) :- plus(1, 2, _).
