:- use_module(m1).
:- use_module(m2, [p/1]).
r(_) :- p(_).
