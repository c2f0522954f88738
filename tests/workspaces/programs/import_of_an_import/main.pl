:- use_module(m1).
:- use_module(m3).

% Binds the name to that of m3, whatever user makes of it.
:- m1:import(user:succ_or_zero/1).
succ_or_zero(_).
r(_) :- t(_), succ_or_zero(_).
