:- module(other, [p/1]).
:- dynamic p/1, q/1.
term_expansion(T, T) :- X is foo + 1, T = v(X).
p(X) :- q(X).
q(_).
