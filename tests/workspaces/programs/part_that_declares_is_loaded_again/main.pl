:- ensure_loaded(m3).
:- ensure_loaded(m1).

% Takes the clauses of m1 from p/1.
:- consult(m3).
r(_) :- p(_).
