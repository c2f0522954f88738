% A list of 2,500 numbers that are uniformly distributed is sorted.
% predicates: 4
% goal: numbers(2500, 42, L), qsort(L, _)
qsort([], []).
qsort([X|L], R) :-
    partition(L, X, L1, L2),
    qsort(L2, R2),
    qsort(L1, R1),
    append(R1, [X|R2], R).

partition([], _, [], []).
partition([E|R], C, [E|Left], Right) :- E < C, !, partition(R, C, Left, Right).
partition([E|R], C, Left, [E|Right]) :- E >= C, partition(R, C, Left, Right).

append([], X, X).
append([H|X], Y, [H|Z]) :- append(X, Y, Z).

% The input: Lehmer's generator.
numbers(0, _, []) :- !.
numbers(N, S, [S1|L]) :- S1 is S * 16807 mod 2147483647, M is N - 1, numbers(M, S1, L).
