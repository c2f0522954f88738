:- module(m3, [last/2]).
:- use_module(library(lists)).
:- use_module(m2).
last(_, _) :- one.
one.
