:- module(m4, [t/1]).

% Refused, since user has the same list.
:- autoload(library(lists), [last/2, reverse/2]).
t(_) :- reverse([a, b], _).
