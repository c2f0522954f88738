%% Ways of change, knapsack, subset sums, partitions of integers.
% ?- findall(C, change(20, [10,5,2,1], C), L), length(L, N), last(L, Last).
% ?- subset_sum([3,34,4,12,5,2], 9, S).
% ?- knapsack([5-10,4-40,6-30,3-50], 10, Best).
% ?- partition_of(5, P).
% ?- findall(P, partition_of(10, P), L), length(L, N).
% ?- compositions(3, L).

change(0, _, []) :- !.
change(N, [C|Cs], [C|R]) :- N >= C, M is N-C, change(M, [C|Cs], R).
change(N, [_|Cs], R) :- Cs = [_|_], change(N, Cs, R).

subset_sum([], 0, []).
subset_sum([X|Xs], N, [X|S]) :- X =< N, M is N-X, subset_sum(Xs, M, S).
subset_sum([_|Xs], N, S) :- subset_sum(Xs, N, S).

knapsack(Items, Limit, Value-Chosen) :-
    findall(V-C, packed(Items, Limit, V, C), All),
    sort(0, @>=, All, [Value-Chosen|_]).
packed([], _, 0, []).
packed([W-V|Is], L, T, [W-V|C]) :- W =< L, M is L-W, packed(Is, M, U, C), T is U+V.
packed([_|Is], L, T, C) :- packed(Is, L, T, C).

partition_of(N, P) :- partition_of(N, N, P).
partition_of(0, _, []) :- !.
partition_of(N, Max, [K|P]) :- High is min(N, Max), between(1, High, J), K is High-J+1, M is N-K, partition_of(M, K, P).

compositions(N, L) :- findall(C, composition(N, C), L).
composition(0, []).
composition(N, [K|C]) :- N > 0, between(1, N, K), M is N-K, composition(M, C).
