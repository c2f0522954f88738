% Table 7: hanoi, 8 discs, two appends per level, one disc being the base case.
%! hanoi(+N:posint, +A:atom, +B:atom, +C:atom, -Moves) is det.
hanoi(1, A, _, C, [mv(A, C)]) :- !.
hanoi(N, A, B, C, M) :-
    N1 is N-1,
    hanoi(N1, A, C, B, M1),
    hanoi(N1, B, A, C, M2),
    append(M1, [mv(A, C)], T),
    append(T, M2, M).

append([], X, X).
append([X|Xs], Y, [X|Zs]) :- append(Xs, Y, Zs).
