:- module(m2, [ignore/1]).
ignore(_) :- one.
one.
