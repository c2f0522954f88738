% Five queens, twice, with the board's lines counted down by predicates of their own.
% predicates: 16
% goal: queens(5)
queens(N) :- solve(N, Q1), solve(N, Q2), same(Q1, Q2).

same(Q, Q).

solve(N, Qs) :- rows(N, Rs), place(Rs, [], Qs), !.

rows(N, Rs) :- rows(1, N, Rs).

rows(I, N, []) :- above(I, N), !.
rows(I, N, [I|Rs]) :- next(I, J), rows(J, N, Rs).

above(I, N) :- I > N.

next(I, J) :- J is I + 1.

place([], Qs, Qs).
place(Rs, Qs0, Qs) :-
    chosen(R, Rs, Rest),
    safe(R, Qs0),
    place(Rest, [R|Qs0], Qs).

chosen(X, Xs, Rest) :- removed(Xs, X, Rest).

removed([X|Xs], X, Xs).
removed([Y|Xs], X, [Y|Rest]) :- removed(Xs, X, Rest).

safe(R, Qs) :- safe(Qs, R, 1).

safe([], _, _).
safe([Q|Qs], R, D) :- apart(Q, R, D), next(D, D1), safe(Qs, R, D1).

apart(Q, R, D) :- off(Q, R, D), off(R, Q, D).

off(A, B, D) :- distance(A, B, E), differs(E, D).

distance(A, B, E) :- E is A - B.

differs(E, D) :- E =\= D.
