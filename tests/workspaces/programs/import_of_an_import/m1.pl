:- module(m1, [t/1]).
t(_) :- succ_or_zero(_).
