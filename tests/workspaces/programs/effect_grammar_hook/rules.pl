:- module(rules, []).
% A translation of grammar rules by the program.
user:term_expansion(T, R) :- nonvar(T), catch(rule(T, R), _, fail).
rule((H --> B), R) :- dcg_translate_rule((H --> B), R).
