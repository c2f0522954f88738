:- module(m1, [t/0]).
t :- s.
s.
v.
