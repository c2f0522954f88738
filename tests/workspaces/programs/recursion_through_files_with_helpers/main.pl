% Names of helpers mean what they mean in the file of the clause.
:- use_module(one).
:- use_module(two).
t(_) :- down([a, b, c]).
u(_) :- further([a, b]).
