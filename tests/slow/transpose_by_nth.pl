% asks: Transposing a 300 x 300 matrix takes ages with my code, are lists just slow?
% call: input_matrix(N, M), flip_matrix(M, _)
% predicate: flip_matrix/2
% sizes: 60 120 240 360 480
% class: n^3
% cause: nth1

flip_matrix(Matrix, Flipped) :-
    Matrix = [Row|_],
    length(Row, Cols),
    length(Matrix, Rows),
    findall(NewRow,
            ( between(1, Cols, C),
              findall(X, ( between(1, Rows, R), cell(Matrix, R, C, X) ), NewRow)
            ),
            Flipped).

cell(Matrix, R, C, X) :-
    nth1(R, Matrix, Row),
    nth1(C, Row, X).

% N rows of N numbers; both sizes grow
input_matrix(N, M) :-
    numlist(1, N, Row),
    length(M, N),
    maplist(=(Row), M).
