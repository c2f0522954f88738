:- module(main, [q/1]).

% main does not export ignore/1, so that `user` has none.
:- use_module(m3).
:- ( fail -> reexport(m2) ; true ).
ignore(_) :- one.
one :- two.
two.
q(_) :- ignore(true).
