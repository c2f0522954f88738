% Two ways of appending lists (§9 of the paper): a cell at a time, and two.

append1([], L, L).
append1([X|Xs], L, [X|Ys]) :- append1(Xs, L, Ys).

append2([], L, L).
append2([X], L, [X|L]) :- !.
append2([X,Y|Xs], L, [X,Y|Ys]) :- append2(Xs, L, Ys).
