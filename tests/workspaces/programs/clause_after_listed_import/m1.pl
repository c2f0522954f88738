:- module(m1, [p/1]).
p(_).
