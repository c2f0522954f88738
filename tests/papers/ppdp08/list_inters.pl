% Table 7: list_inters, the elements of one list that another has, too.
%! list_inters(+L:list(int), +D:list(int), -R) is det.
list_inters([], _, []).
list_inters([X|Xs], D, R) :-
    (   has(D, X)
    ->  R = [X|Rs]
    ;   R = Rs
    ),
    list_inters(Xs, D, Rs).

has([Y|Ys], X) :- ( X == Y -> true ; has(Ys, X) ).
