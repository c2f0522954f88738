%% Sorting by a user's order, clause by clause as SWI-Prolog counts it. Equal elements are merged.

predsort(G, Xs, Sorted) :-
    (   is_list(Xs)
    ->  length(Xs, N),
        predsort(G, N, Xs, _, Sorted0),
        Sorted = Sorted0
    ;   must_be(Xs, list)
    ).

predsort(G, 2, [X,Y|Xs], Xs, Sorted) :-
    !,
    call(G, Order, X, Y),
    sort2(Order, X, Y, Sorted).
predsort(_, 1, [X|Xs], Xs, [X]) :-
    !.
predsort(_, 0, Xs, Xs, []) :-
    !.
predsort(G, N, Xs, Rest, Sorted) :-
    N > 2,
    N1 is N//2,
    plus(N1, N2, N),
    predsort(G, N1, Xs, Middle, Left),
    predsort(G, N2, Middle, Rest, Right),
    predmerge(G, Left, Right, Sorted).

sort2(<, X, Y, [X,Y]).
sort2(=, X, _, [X]).
sort2(>, X, Y, [Y,X]).

predmerge(_, [], Ys, Ys) :-
    !.
predmerge(_, Xs, [], Xs) :-
    !.
predmerge(G, [X|Xs], [Y|Ys], Zs) :-
    call(G, Order, X, Y),
    !,
    predmerge_(Order, G, X, Y, Xs, Ys, Zs).

predmerge_(>, G, X, Y, Xs, Ys, [Y|Zs]) :-
    predmerge(G, [X|Xs], Ys, Zs).
predmerge_(=, G, X, _, Xs, Ys, [X|Zs]) :-
    predmerge(G, Xs, Ys, Zs).
predmerge_(<, G, X, Y, Xs, Ys, [X|Zs]) :-
    predmerge(G, Xs, [Y|Ys], Zs).
