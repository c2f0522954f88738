:- module(m1, [mm/1]).
:- autoload(library(lists)).
mm(_) :- last([a, b], _).
