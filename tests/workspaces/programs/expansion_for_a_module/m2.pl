:- module(m2, [u/0]).
u :- s.
s.
v.
