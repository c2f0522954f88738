:- module(m2, [t/1]).
:- ensure_loaded(m4).

% Refused: the import from m4, which inherits from m2, is that of user.
last(_, _) :- h1.
h1 :- h2.
h2.
t(_) :- last([a, b], _).
