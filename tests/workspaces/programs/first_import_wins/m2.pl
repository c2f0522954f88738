:- module(m2, [p/1]).
p(_).
