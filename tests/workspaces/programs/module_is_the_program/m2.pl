:- module(m2, []).
q(_) :- p(_).
