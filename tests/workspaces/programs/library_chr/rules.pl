:- module(rules, [up/1]).
:- use_module(library(chr)).
:- chr_constraint up(?).
up(X) <=> X = 1 | true.
own(_) :- own1.
own1.
