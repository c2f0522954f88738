% Table 7: list_diff, the elements of one list that another does not have.
%! list_diff(+L:list(int), +D:list(int), -R) is det.
list_diff([], _, []).
list_diff([X|Xs], D, R) :-
    (   has(D, X)
    ->  R = Rs
    ;   R = [X|Rs]
    ),
    list_diff(Xs, D, Rs).

has([Y|Ys], X) :- ( X == Y -> true ; has(Ys, X) ).
