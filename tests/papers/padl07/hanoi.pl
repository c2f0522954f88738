% Table 4: hanoi, 8 discs, two appends per level.
%! hanoi(+N:nonneg, +A:atom, +B:atom, +C:atom, -Moves) is det.
hanoi(0, _, _, _, []) :- !.
hanoi(N, A, B, C, M) :-
    N1 is N-1,
    hanoi(N1, A, C, B, M1),
    hanoi(N1, C, B, A, M2),
    append(M1, [mv(A, B)], T),
    append(T, M2, M).

append([], L, L).
append([H|T], L, [H|R]) :- append(T, L, R).
