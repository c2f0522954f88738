%% Sizes that need iteration: long lists, deep terms, large counts.
% ?- numlist(1, 20000, L), sum_list(L, S), length(L, N), last(L, X).
% ?- deep(5000, T), depth(T, 0, D).
% ?- count_to(30000, N).
% ?- numlist(1, 3000, L), reverse(L, R), msort(R, M), M == L.
% ?- numlist(1, 2000, L), foldl([X,A,B]>>(B is A+X), L, 0, S).
% ?- findall(X, between(1, 5000, X), L), length(L, N).
% ?- length(L, 1000), maplist(=(x), L), atomic_list_concat(L, A), atom_length(A, N).
% ?- numlist(1, 500, L), atomic_list_concat(L, ',', A), atomic_list_concat(P, ',', A), length(P, N).

deep(0, z) :- !.
deep(N, s(T)) :- M is N-1, deep(M, T).
depth(z, D, D).
depth(s(T), D0, D) :- D1 is D0+1, depth(T, D1, D).

count_to(N, N0) :- count(0, N), N0 = N.
count(N, N) :- !.
count(I, N) :- J is I+1, count(J, N).
