% Table 7: list_diff, with cuts in place of conditions, which the machine of the paper has no code for.
%! list_diff(+L:list(int), +D:list(int), -R)
list_diff([], _, []).
list_diff([X|Xs], D, R) :- has(X, D), !, list_diff(Xs, D, R).
list_diff([X|Xs], D, [X|R]) :- list_diff(Xs, D, R).

has(X, [X|_]) :- !.
has(X, [_|Ys]) :- has(X, Ys).
