:- module(m4, [t/1]).
t(_) :- reverse([a, b], _).

% The call above is by now bound to the one of user.
:- autoload(library(lists), [reverse/2]).
