:- module(m1, [q/1, s/1]).

% Runs when m1:q/1, which is not defined, has been bound to user:q/1: its clauses are refused.
:- initialization(consult(part)).
:- use_module(library(lists), except([last/2])).

user:q(_) :- h1.
user:h1 :- user:h2.
user:h2.
s(_) :- q(_).
