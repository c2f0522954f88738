% A closure is a predicate of the file in which it is written.
:- use_module(one).
:- use_module(two).
t(_) :- down([a, b, c]).
u(_) :- further([a, b]).
v(_) :- bound([a, b, c]).
