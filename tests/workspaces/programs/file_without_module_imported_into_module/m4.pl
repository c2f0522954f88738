:- module(m4, [b/1]).
ignore(_) :- h1.
h1 :- h2.
h2.
b(_).
