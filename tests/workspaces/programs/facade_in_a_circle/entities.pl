% Imports ask/1 while queries.pl has not got it yet. Nothing takes it back.
:- module(entities, [entity/1]).
:- use_module(queries).
entity(_) :- ask(_).
