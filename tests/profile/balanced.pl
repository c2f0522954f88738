% The paper's Fig. 3 on 600 numbers that are uniformly distributed: each of the two recursive calls uses about half of the steps. On a
% sorted list one of them uses nearly all, see literals.pl.
% goal: numbers(600, 42, L), qsort(L, _)
% result success
% edge remainder -> remainder: call-exit 1; steps 1203, choice_points 600, cuts 1, skips 1
% edge remainder -> qsort1/2: call-exit 1; steps 2
% edge remainder -> qsort2/2: call-exit 1; steps 932, choice_points 598, cuts 330, skips 330
% edge qsort2/2 -> qsort1/2: call-exit 302; steps 2891, choice_points 1373, cuts 618, skips 618
% edge qsort1/2 -> qsort1/2: call-exit 297; steps 2621, choice_points 1099, cuts 630, skips 630
% edge qsort1/2 -> qsort2/2: call-exit 297; steps 2479, choice_points 1072, cuts 509, skips 509
% edge qsort2/2 -> qsort2/2: call-exit 302; steps 3081, choice_points 1497, cuts 682, skips 682
:- cost_center qsort1/2, qsort2/2.
qsort1(A, B) :- qsort(A, B).
qsort2(A, B) :- qsort(A, B).
qsort([], []).
qsort([X|L], R) :-
    partition(L, X, L1, L2),
    qsort1(L1, R1),
    qsort2(L2, R2),
    append(R1, [X|R2], R).
partition([], _, [], []).
partition([H|L], X, [H|L1], L2) :- H < X, !, partition(L, X, L1, L2).
partition([H|L], X, L1, [H|L2]) :- H >= X, partition(L, X, L1, L2).
append([], B, B).
append([H|A], B, [H|C]) :- append(A, B, C).

% Lehmer's generator.
numbers(0, _, []) :- !.
numbers(N, S, [S1|L]) :- S1 is S * 16807 mod 2147483647, M is N - 1, numbers(M, S1, L).
