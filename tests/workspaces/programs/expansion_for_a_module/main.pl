:- use_module(hooks).
:- use_module(m1).
:- use_module(m2).
r :- t, u.
