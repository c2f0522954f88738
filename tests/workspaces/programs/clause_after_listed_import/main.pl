:- use_module(m1, [p/1]).
:- use_module(m2).
r(_) :- p(_).
