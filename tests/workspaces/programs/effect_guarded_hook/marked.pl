:- module(marked, [marked/1]).
:- rules.
marked(_) :- p(_).
rule_p(_).
rule_p(_).
