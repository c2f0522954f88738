% Table 7: list_inters, with conditions.
%! list_inters(+L:list(int), +D:list(int), -R)
list_inters([], _, []).
list_inters([X|Xs], D, R) :-
    (   has(X, D)
    ->  R = [X|Rs]
    ;   R = Rs
    ),
    list_inters(Xs, D, Rs).

has(X, [Y|Ys]) :- ( X = Y -> true ; has(X, Ys) ).
