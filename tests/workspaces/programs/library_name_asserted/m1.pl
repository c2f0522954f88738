:- module(m1, [mm/1]).
mm(_) :- last([a, b], _).
