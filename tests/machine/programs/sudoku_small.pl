%% A 4x4 sudoku by search over permutations of rows.
% ?- solve([[1,_,_,4],[_,_,1,_],[_,1,_,_],[4,_,_,1]], R).

solve(Rows, Rows) :-
    maplist(row, Rows),
    columns(Rows, Columns),
    maplist(distinct, Columns),
    boxes(Rows, Boxes),
    maplist(distinct, Boxes),
    !.

row(Row) :- permutation([1,2,3,4], P), P = Row.

columns([[],[],[],[]], []) :- !.
columns(Rows, [Column|Columns]) :- maplist([[X|Xs],X,Xs]>>true, Rows, Column, Rest), columns(Rest, Columns).

boxes([], []).
boxes([[A,B,C,D],[E,F,G,H]|Rows], [[A,B,E,F],[C,D,G,H]|Boxes]) :- boxes(Rows, Boxes).

distinct(Xs) :- sort(Xs, S), length(Xs, N), length(S, N).
