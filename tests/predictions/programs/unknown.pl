% Ten programs whose bounds are unknown, or far above what runs take: what they do depends on more than sizes.

% 1 Collatz.
collatz(1, 0) :- !.
collatz(N, S) :- step(N, M), collatz(M, T), S is T+1.
step(N, M) :- 0 is N mod 2, !, M is N // 2.
step(N, M) :- M is 3*N+1.

% 2 The smallest factor.
factor(N, F) :- factor(N, 2, F).
factor(N, D, N) :- D*D > N, !.
factor(N, D, D) :- 0 is N mod D, !.
factor(N, D, F) :- E is D+1, factor(N, E, F).

% 3 The length of the cycle of a generator of small numbers.
cycle(N, S, L) :- M is N+2, follow(S, M, [], L).
follow(X, _, Seen, L) :- memberchk(X, Seen), !, length(Seen, L).
follow(X, M, Seen, L) :- Y is (X*X + 1) mod M, follow(Y, M, [X|Seen], L).

% 4 A sum of some elements of a list, by trying all.
sums([], 0, []).
sums([X|Xs], S, [X|Ys]) :- S >= X, R is S-X, sums(Xs, R, Ys).
sums([_|Xs], S, Ys) :- sums(Xs, S, Ys).

% 5 Quick sort.
quick([], []).
quick([X|Xs], Ys) :- split(Xs, X, L, G), quick(L, A), quick(G, B), append(A, [X|B], Ys).
split([], _, [], []).
split([Y|Ys], X, [Y|L], G) :- Y =< X, !, split(Ys, X, L, G).
split([Y|Ys], X, L, [Y|G]) :- split(Ys, X, L, G).

% 6 A search tree from a list.
tree(L, T) :- insert_all(L, nil, T).
insert_all([], T, T).
insert_all([X|Xs], T0, T) :- insert(T0, X, T1), insert_all(Xs, T1, T).
insert(nil, X, t(nil, X, nil)).
insert(t(L, Y, R), X, t(L1, Y, R)) :- X < Y, !, insert(L, X, L1).
insert(t(L, Y, R), X, t(L, Y, R1)) :- insert(R, X, R1).

% 7 The next prime.
prime(N, P) :- is_prime(N), !, P = N.
prime(N, P) :- M is N+1, prime(M, P).
is_prime(N) :- N > 1, factor(N, F), F =:= N.

% 8 The first place of a pattern in a text.
place([], Text, _) :- !, Text = _.
place(Pattern, Text, 0) :- prefix(Pattern, Text), !.
place(Pattern, [_|Text], N) :- place(Pattern, Text, M), N is M+1.
place(_, [], -1).
prefix([], _).
prefix([X|Xs], [X|Ys]) :- prefix(Xs, Ys).

% 9 Euclid, by subtraction.
gcd(A, A, A) :- !.
gcd(A, B, G) :- A > B, !, C is A-B, gcd(C, B, G).
gcd(A, B, G) :- C is B-A, gcd(A, C, G).

% 10 Collatz over a stretch of numbers.
stretch(N, M, 0) :- N > M, !.
stretch(N, M, S) :- collatz(N, A), K is N+1, stretch(K, M, B), S is A+B.
