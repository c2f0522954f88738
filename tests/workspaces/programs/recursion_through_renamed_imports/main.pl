% An import that renames a predicate is a clause of its own.
:- use_module(one).
:- use_module(two).
t(_) :- down([a, b, c]).
u(_) :- further([a, b]).
