:- use_module(m4).

% m3 is no module: clauses that come later are of m4.
:- m4:use_module(m3).
t(_) :- ignore(true).
