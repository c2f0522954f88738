% A sudoku of nine by nine cells with 39 numbers given, ten times.
% predicates: 12
% goal: sudoku
sudoku :- times(10).

times(0) :- !.
times(N) :- \+ \+ completed, M is N - 1, times(M).

completed :- given(Rows), columns(Rows, Columns), boxes(Rows, Boxes), filled(Rows, 1, Columns, Boxes).

filled([], _, _, _).
filled([Row|Rows], I, Columns, Boxes) :-
    cells(Row, 1, I, Row, Columns, Boxes),
    J is I + 1,
    filled(Rows, J, Columns, Boxes).

cells([], _, _, _, _, _).
cells([C|Cs], J, I, Row, Columns, Boxes) :-
    cell(C, J, I, Row, Columns, Boxes),
    K is J + 1,
    cells(Cs, K, I, Row, Columns, Boxes).

cell(C, _, _, _, _, _) :- nonvar(C), !.
cell(C, J, I, Row, Columns, Boxes) :-
    nth1(J, Columns, Column),
    B is (I - 1) // 3 * 3 + (J - 1) // 3 + 1,
    nth1(B, Boxes, Box),
    digit(D), absent(D, Row), absent(D, Column), absent(D, Box),
    C = D.

digit(1). digit(2). digit(3). digit(4). digit(5). digit(6). digit(7). digit(8). digit(9).

absent(_, []).
absent(D, [E|Es]) :- D \== E, absent(D, Es).

columns([[]|_], []) :- !.
columns(Rows, [Column|Columns]) :- firsts(Rows, Column, Rests), columns(Rests, Columns).

firsts([], [], []).
firsts([[X|Xs]|Rows], [X|Column], [Xs|Rests]) :- firsts(Rows, Column, Rests).

boxes([], []).
boxes([[A1,A2,A3,A4,A5,A6,A7,A8,A9], [B1,B2,B3,B4,B5,B6,B7,B8,B9], [C1,C2,C3,C4,C5,C6,C7,C8,C9]|Rows],
      [[A1,A2,A3,B1,B2,B3,C1,C2,C3], [A4,A5,A6,B4,B5,B6,C4,C5,C6], [A7,A8,A9,B7,B8,B9,C7,C8,C9]|Boxes]) :-
    boxes(Rows, Boxes).

given([[5,3,4,_,7,_,_,1,_],
       [6,_,2,1,9,5,_,_,8],
       [_,9,8,_,4,2,_,6,_],
       [8,_,_,7,6,_,4,_,3],
       [4,_,_,8,_,3,_,_,1],
       [7,_,3,_,2,4,_,_,6],
       [_,6,_,5,_,_,2,8,_],
       [_,_,_,4,1,9,_,_,5],
       [_,_,5,_,8,_,_,7,9]]).
