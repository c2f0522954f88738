:- module(m2, [t/1]).
:- [part].

t(_) :- reverse([a, b], _).
