% The paper's Fig. 10: the two recursive calls of a sort, on a list that is sorted already: one does all the work.
% goal: qsort([1,2,3,4,5], _)
% result success
% edge remainder -> remainder: call-exit 1; steps 7, choice_points 4
% edge remainder -> qsort1: call-exit 1; steps 6, choice_points 3
% edge qsort1 -> qsort1: call-exit 4; steps 13, choice_points 3
% edge qsort1 -> qsort2: call-exit 4; steps 4
% edge remainder -> qsort2: call-exit 1; steps 1
qsort([], []).
qsort([X|L], R) :-
    partition(L, X, L1, L2),
    cost_center(qsort1, qsort(L2, R2)),
    cost_center(qsort2, qsort(L1, R1)),
    append(R1, [X|R2], R).
partition([], _, [], []).
partition([E|R], C, [E|Left], Right) :- E < C, !, partition(R, C, Left, Right).
partition([E|R], C, Left, [E|Right]) :- E >= C, partition(R, C, Left, Right).
append([], X, X).
append([H|X], Y, [H|Z]) :- append(X, Y, Z).
