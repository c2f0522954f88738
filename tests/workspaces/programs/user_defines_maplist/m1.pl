:- module(m1, [mm/1]).
mm(_) :- maplist(foo, [a, b]).
foo(_).
