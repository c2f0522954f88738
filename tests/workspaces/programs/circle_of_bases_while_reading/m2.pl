:- module(m2, [t/1]).
t(_) :- h1.
:- set_module(m2:base(m3)).

% Not read any more.
h1.
