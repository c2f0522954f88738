:- module(m1, [mm/1]).
mm(_) :- plus(1, 2, _).
