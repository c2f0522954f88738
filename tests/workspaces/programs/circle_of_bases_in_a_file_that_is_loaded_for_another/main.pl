:- use_module(m1, []).
:- use_module(m2).
ignore(_) :- one.
one.
