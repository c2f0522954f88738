:- module(main, [q/1]).
:- use_module(library(lists)).
:- reexport(m2).
:- use_module(m1, []).
q(_) :- sum_list([1,2], _).
