:- use_module(m1, [p/1]).
p(_).
r(_) :- p(_).
