:- module(m2, [r/1]).
r(_).
