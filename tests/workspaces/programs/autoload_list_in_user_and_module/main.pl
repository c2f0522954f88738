:- autoload(library(lists), [last/2]).
:- use_module(m4).
:- use_module(m3).
r(_) :- t(_).
