:- consult(m1).

% m3 imports a/1 now, since m4 exports it: its own clause is refused.
:- [m3].
