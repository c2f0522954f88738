%% Matrices as lists of rows.
% ?- multiply([[1,2],[3,4]], [[5,6],[7,8]], P).
% ?- transpose_own([[1,2,3],[4,5,6]], T).
% ?- determinant([[2,0,1],[1,3,2],[1,1,4]], D).
% ?- power([[1,1],[1,0]], 30, P).
% ?- identity(3, I).
% ?- multiply([[1,a]], [[1],[2]], P).

multiply(A, B, C) :- transpose_own(B, T), maplist(row_times(T), A, C).
row_times(Columns, Row, Products) :- maplist(dot(Row), Columns, Products).
dot(Xs, Ys, S) :- foldl([X,Y,S0,S1]>>(S1 is S0+X*Y), Xs, Ys, 0, S).

transpose_own([[]|_], []) :- !.
transpose_own(Rows, [Column|Columns]) :- maplist([[X|Xs],X,Xs]>>true, Rows, Column, Rest), transpose_own(Rest, Columns).

determinant([[X]], X) :- !.
determinant([Row|Rows], D) :- cofactors(Row, 0, Rows, 0, D).
cofactors([], _, _, D, D).
cofactors([X|Xs], I, Rows, D0, D) :-
    maplist(without(I), Rows, Minor),
    determinant(Minor, M),
    ( I mod 2 =:= 0 -> D1 is D0+X*M ; D1 is D0-X*M ),
    J is I+1,
    cofactors(Xs, J, Rows, D1, D).
without(I, Row, Rest) :- nth0(I, Row, _, Rest).

identity(N, I) :- numlist(1, N, Ns), maplist([R,Row]>>maplist([C,X]>>( R =:= C -> X = 1 ; X = 0 ), Ns, Row), Ns, I).

power(M, 1, M) :- !.
power(M, N, P) :- N mod 2 =:= 0, !, H is N//2, power(M, H, Q), multiply(Q, Q, P).
power(M, N, P) :- K is N-1, power(M, K, Q), multiply(M, Q, P).
