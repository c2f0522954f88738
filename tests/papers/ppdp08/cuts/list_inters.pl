% Table 7: list_inters, with cuts in place of conditions.
%! list_inters(+L:list(int), +D:list(int), -R)
list_inters([], _, []).
list_inters([X|Xs], D, [X|R]) :- has(X, D), !, list_inters(Xs, D, R).
list_inters([_|Xs], D, R) :- list_inters(Xs, D, R).

has(X, [X|_]) :- !.
has(X, [_|Ys]) :- has(X, Ys).
