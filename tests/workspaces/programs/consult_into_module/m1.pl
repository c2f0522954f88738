:- module(m1, [q/1]).
q(_) :- p(_).
p(_).
