:- module(m1, [p/1]).
:- initialization(m1:[m2]).
p(_).
s(_) :- p(_), plus(1, 2, _).
