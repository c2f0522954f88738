:- module(m1, [p/1]).
:- initialization(ensure_loaded(part)).
p(_) :- s(_).
s(_).
