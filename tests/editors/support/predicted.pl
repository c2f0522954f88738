% Nothing bounds it, as far as anybody knows.
%! collatz(+N:int, -S:int) is semidet.
collatz(1, 0) :- !.
collatz(N, S) :- step(N, M), collatz(M, T), S is T+1.

%! step(+N:int, -M:int) is det.
step(N, M) :- 0 is N mod 2, !, M is N // 2.
step(N, M) :- M is 3*N+1.
