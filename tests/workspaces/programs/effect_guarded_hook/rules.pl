:- module(rules, []).
:- thread_local rule_file/1.
user:term_expansion((:- rules), []) :- prolog_load_context(source, File), assertz(rule_file(File)).
user:term_expansion(T, R) :- rule_file(File), prolog_load_context(source, File), rule(T, R).
rule(T, R) :- T =.. [Name, X], atom_concat(rule_, Rest, Name), R =.. [Rest, X].
