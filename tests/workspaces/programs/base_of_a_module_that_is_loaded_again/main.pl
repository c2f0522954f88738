:- use_module(m1).

% Loaded again, m3 inherits from user.
:- [m3].
r(_) :- s(_).
