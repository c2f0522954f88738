:- module(m1, [mm/1]).
:- autoload(library(lists), [last/2]).
mm(_) :- last([a, b], _).
