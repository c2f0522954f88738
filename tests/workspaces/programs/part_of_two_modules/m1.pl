:- module(m1, [q/1]).
:- ensure_loaded(part).
q(_) :- p(_).
