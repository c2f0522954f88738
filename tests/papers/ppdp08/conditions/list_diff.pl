% Table 7: list_diff, with conditions, of which each is a call of a predicate of its own.
%! list_diff(+L:list(int), +D:list(int), -R)
list_diff([], _, []).
list_diff([X|Xs], D, R) :-
    (   has(X, D)
    ->  R = Rs
    ;   R = [X|Rs]
    ),
    list_diff(Xs, D, Rs).

has(X, [Y|Ys]) :- ( X = Y -> true ; has(X, Ys) ).
