% The programs of Table 2: append, map, insertion sort, and the echelon form of a matrix (a list of rows), here with integers and without
% divisions: a row is multiplied by the head of the other one.

append([], L, L).
append([X|Xs], L, [X|Ys]) :- append(Xs, L, Ys).

map([], []).
map([X|Xs], [Y|Ys]) :- positive(X, Y), map(Xs, Ys).

positive(X, true) :- X > 0.
positive(X, false) :- X =< 0.

insertion_sort([], []).
insertion_sort([X|Xs], Ys) :- insertion_sort(Xs, Zs), insert(Zs, X, Ys).

insert([], X, [X]).
insert([Y|Ys], X, [X,Y|Ys]) :- X =< Y.
insert([Y|Ys], X, [Y|Zs]) :- X > Y, insert(Ys, X, Zs).

%! echelon(+Rows:list(list(int)), -Form)
echelon([], []).
echelon([Row|Rows], [Row|Form]) :- eliminate(Rows, Row, Rest), echelon(Rest, Form).

%! eliminate(+Rows:list(list(int)), +Row:list(int), -Rest)
eliminate([], _, []).
eliminate([[B|Bs]|Rows], [A|As], [Cs|Rest]) :- subtract(Bs, As, A, B, Cs), eliminate(Rows, [A|As], Rest).

%! subtract(+Bs:list(int), +As:list(int), +A:int, +B:int, -Cs)
subtract([], _, _, _, []).
subtract([B|Bs], [A|As], F, G, [C|Cs]) :- C is B*F-A*G, subtract(Bs, As, F, G, Cs).
