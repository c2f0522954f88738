% The clause `p(X) :- m2:r(X)` goes to `user`, whose clauses are read when the goal runs.
:- module(m1, [v/1]).
:- initialization(use_module(m2, [r/1 as p])).
v(_).
