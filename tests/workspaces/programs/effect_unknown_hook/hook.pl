:- module(hook, []).
% What the hook takes is not known: that it leaves the clauses of the other files as they are is an assumption.
user:term_expansion(T, R) :- renamed(T, R).
renamed(T, R) :- T =.. [Name | Args], wanted(Name, New), R =.. [New | Args].
wanted(Name, New) :- atom_concat(old_, New, Name).
