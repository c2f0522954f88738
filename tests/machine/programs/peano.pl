%% Natural numbers as terms: relations in all directions.
% ?- add(s(s(0)), s(0), X).
% ?- add(X, Y, s(s(0))).
% ?- times(s(s(0)), s(s(s(0))), X).
% ?- to_int(X, 3).
% ?- less(X, s(s(0))).
% ?- factorial(s(s(s(0))), F), to_int(F, N).
% ?- even(s(s(0))), \+ even(s(0)).
% ?- ackermann(2, 3, A).

add(0, Y, Y).
add(s(X), Y, s(Z)) :- add(X, Y, Z).

times(0, _, 0).
times(s(X), Y, Z) :- times(X, Y, W), add(Y, W, Z).

less(0, s(_)).
less(s(X), s(Y)) :- less(X, Y).

even(0).
even(s(s(X))) :- even(X).

factorial(0, s(0)).
factorial(s(N), F) :- factorial(N, G), times(s(N), G, F).

to_int(0, 0).
to_int(s(X), N) :- nonvar(N), !, N > 0, M is N-1, to_int(X, M).
to_int(s(X), N) :- to_int(X, M), N is M+1.

ackermann(0, N, A) :- !, A is N+1.
ackermann(M, 0, A) :- !, K is M-1, ackermann(K, 1, A).
ackermann(M, N, A) :- K is M-1, L is N-1, ackermann(M, L, B), ackermann(K, B, A).
