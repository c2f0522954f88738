:- module(m1, [mm/1]).
mm(_) :- partition(foo, [a, b], _, _).
foo(_).
