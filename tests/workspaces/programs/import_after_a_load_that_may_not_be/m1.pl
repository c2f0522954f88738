:- module(m1, [q/1]).

q(_) :- plus(1, 2, _).
