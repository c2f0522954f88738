:- module(m4, [t/1]).
t(_) :- reverse([a, b], _).
:- autoload(library(lists), [reverse/2]).
