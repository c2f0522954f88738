:- module(m4, [last/2, t/1]).
last(_, _) :- h1.
h1 :- h2.
h2 :- h3.
h3 :- h4.
h4.

% Imports and lists for the autoloader are gone.
t(_) :- reverse([a, b], _).
