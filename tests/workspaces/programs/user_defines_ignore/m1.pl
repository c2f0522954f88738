:- module(m1, [mm/1]).
mm(_) :- ignore(foo(_)).
foo(_).
