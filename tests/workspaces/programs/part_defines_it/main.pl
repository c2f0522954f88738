:- use_module(m1).
:- [part].
r(_) :- mm(_).
