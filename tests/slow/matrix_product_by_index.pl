% asks: Why does multiplying two 60 x 60 matrices take so long? In Python I do not even notice it.
% call: input_matrix(N, M), mat_mul(N, M, M, _)
% predicate: mat_mul/4
% sizes: 10 20 30 40 50
% class: n^4
% cause: item

mat_mul(N, A, B, C) :-
    rows(1, N, A, B, C).

rows(I, N, _, _, []) :- I > N, !.
rows(I, N, A, B, [Row|Rows]) :-
    cols(1, I, N, A, B, Row),
    I1 is I + 1,
    rows(I1, N, A, B, Rows).

cols(J, _, N, _, _, []) :- J > N, !.
cols(J, I, N, A, B, [X|Xs]) :-
    cell_sum(1, I, J, N, A, B, 0, X),
    J1 is J + 1,
    cols(J1, I, N, A, B, Xs).

cell_sum(K, _, _, N, _, _, Sum, Sum) :- K > N, !.
cell_sum(K, I, J, N, A, B, Sum0, Sum) :-
    item(I, A, RowA), item(K, RowA, X),
    item(K, B, RowB), item(J, RowB, Y),
    Sum1 is Sum0 + X * Y,
    K1 is K + 1,
    cell_sum(K1, I, J, N, A, B, Sum1, Sum).

item(1, [X|_], X) :- !.
item(I, [_|Xs], X) :-
    I1 is I - 1,
    item(I1, Xs, X).

% N rows of N numbers
input_matrix(N, M) :-
    numlist(1, N, Row),
    length(M, N),
    maplist(=(Row), M).
