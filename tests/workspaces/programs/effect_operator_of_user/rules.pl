% In a directive, the operator is declared for this module.
:- module(rules, [r/1]).
:- user:op(700, xfx, <--).
r(_) :- s(a <-- b), s(c <-- d).
s(_ <-- _) :- w(_).
w(_).
