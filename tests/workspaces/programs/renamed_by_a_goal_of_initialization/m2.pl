:- module(m2, [r/1]).
r(_) :- one.
one.
