% The towers of Hanoi with seventeen disks.
% predicates: 3
% goal: hanoi(17, a, b, c, _)
hanoi(1, A, _, C, [mv(A, C)]) :- !.
hanoi(N, A, B, C, M) :-
    N1 is N - 1,
    hanoi(N1, A, C, B, M1),
    hanoi(N1, B, A, C, M2),
    joined(M1, mv(A, C), M2, M).

joined(M1, Move, M2, M) :- append_moves(M1, [Move|M2], M).

append_moves([], Ms, Ms).
append_moves([M|Ms], Ns, [M|Rs]) :- append_moves(Ms, Ns, Rs).
