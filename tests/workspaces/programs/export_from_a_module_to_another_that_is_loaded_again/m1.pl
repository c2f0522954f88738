:- module(m1, [a/1]).
:- m4:reexport(m3).
a(_) :- h1.
h1 :- h2.
h2.
t(_) :- a(_).
