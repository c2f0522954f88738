:- use_module(library(lists)).
:- use_module(m4).
reverse(_, _).
r(_) :- t(_).
