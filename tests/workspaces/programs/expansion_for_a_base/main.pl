:- use_module(hooks).
:- use_module(m1).
r :- t.
