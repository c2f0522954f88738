:- module(m1, [q/1]).
:- use_module(m0).
q(_) :- p(_).
