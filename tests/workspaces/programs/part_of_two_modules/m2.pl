:- module(m2, [s/1]).
:- ensure_loaded(part).
s(_) :- p(_).
