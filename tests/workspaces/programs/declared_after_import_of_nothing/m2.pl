:- module(m2, [q/1]).
q(_).
