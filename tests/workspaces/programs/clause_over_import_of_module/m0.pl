:- module(m0, [p/1]).
p(_).
