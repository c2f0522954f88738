%% Results over all solutions of a goal.

aggregate_all(Kind, _, _) :-
    var(Kind),
    !,
    throw(error(instantiation_error, _)).
aggregate_all(count, Goal, Count) :-
    !,
    '$findall_begin',
    '$count'(Goal, Count).
aggregate_all(sum(X), Goal, Sum) :-
    !,
    findall(X, Goal, Xs),
    '$sum'(Xs, 0, Sum).
aggregate_all(bag(X), Goal, Xs) :-
    !,
    findall(X, Goal, Xs).
aggregate_all(set(X), Goal, Set) :-
    !,
    findall(X, Goal, Xs),
    sort(Xs, Set).
aggregate_all(max(X), Goal, Max) :-
    !,
    findall(X, Goal, Xs),
    '$extreme_or_own'(Xs, max, X, Max).
aggregate_all(min(X), Goal, Min) :-
    !,
    findall(X, Goal, Xs),
    '$extreme_or_own'(Xs, min, X, Min).
aggregate_all(max(X, W), Goal, max(Max, Witness)) :-
    !,
    findall(X-W, Goal, Pairs),
    '$extreme_pair'(Pairs, max, Max, Witness).
aggregate_all(min(X, W), Goal, min(Min, Witness)) :-
    !,
    findall(X-W, Goal, Pairs),
    '$extreme_pair'(Pairs, min, Min, Witness).
aggregate_all(max(X, W), Goal, _) :-
    !,
    findall(Value-W, ( call(Goal), Value is X ), _),
    fail.
aggregate_all(min(X, W), Goal, _) :-
    !,
    findall(Value-W, ( call(Goal), Value is X ), _),
    fail.
aggregate_all(Template, Goal, Result) :-
    compound(Template),
    !,
    Template =.. [Functor|Kinds],
    '$templates'(Kinds, Terms),
    findall(Terms, Goal, Rows),
    '$columns'(Kinds, 1, Rows, Results),
    Result =.. [Functor|Results].
aggregate_all(Kind, _, _) :-
    throw(error(domain_error(aggregate_template, Kind), _)).

'$count'(Goal, _) :-
    call(Goal),
    '$findall_add'([]),
    fail.
'$count'(_, Count) :-
    '$findall_count'(Count).

'$sum'([], Sum, Sum).
'$sum'([X|Xs], Sum0, Sum) :-
    Sum1 is Sum0+X,
    '$sum'(Xs, Sum1, Sum).

% Without a solution the result is the expression itself, unless both are unbound.
'$extreme_or_own'([], _, X, Extreme) :-
    Extreme = X,
    nonvar(Extreme).
'$extreme_or_own'([X|Xs], Which, _, Extreme) :-
    '$extreme'([X|Xs], Which, Extreme).

'$extreme'([X0|Xs], Which, Extreme) :-
    X1 is X0,
    '$extreme'(Xs, Which, X1, Extreme).

'$extreme'([], _, X, X).
'$extreme'([X|Xs], Which, X0, Extreme) :-
    (   Which == max
    ->  X1 is max(X0, X)
    ;   X1 is min(X0, X)
    ),
    '$extreme'(Xs, Which, X1, Extreme).

'$extreme_pair'([X0-W0|Pairs], Which, Extreme, Witness) :-
    X1 is X0,
    '$extreme_pair'(Pairs, Which, X1, W0, Extreme, Witness).

'$extreme_pair'([], _, X, W, X, W).
'$extreme_pair'([X1-W1|Pairs], Which, X0, W0, Extreme, Witness) :-
    X is X1,
    (   Which == max, X > X0
    ->  '$extreme_pair'(Pairs, Which, X, W1, Extreme, Witness)
    ;   Which == min, X < X0
    ->  '$extreme_pair'(Pairs, Which, X, W1, Extreme, Witness)
    ;   '$extreme_pair'(Pairs, Which, X0, W0, Extreme, Witness)
    ).

'$templates'([], []).
'$templates'([Kind|Kinds], [Term|Terms]) :-
    (   compound(Kind)
    ->  Kind =.. [_|Arguments],
        Term = Arguments
    ;   Term = []
    ),
    '$templates'(Kinds, Terms).

'$columns'([], _, _, []).
'$columns'([Kind|Kinds], N, Rows, [Result|Results]) :-
    '$column'(Rows, N, Column),
    '$aggregated'(Kind, Column, Result),
    N1 is N+1,
    '$columns'(Kinds, N1, Rows, Results).

'$column'([], _, []).
'$column'([Row|Rows], N, [X|Xs]) :-
    '$nth'(N, Row, X),
    '$column'(Rows, N, Xs).

'$nth'(1, [X|_], X) :-
    !.
'$nth'(N, [_|Xs], X) :-
    N1 is N-1,
    '$nth'(N1, Xs, X).

'$aggregated'(count, Column, Count) :-
    length(Column, Count).
'$aggregated'(sum(_), Column, Sum) :-
    '$firsts'(Column, Xs),
    '$sum'(Xs, 0, Sum).
'$aggregated'(bag(_), Column, Xs) :-
    '$firsts'(Column, Xs).
'$aggregated'(set(_), Column, Set) :-
    '$firsts'(Column, Xs),
    sort(Xs, Set).
'$aggregated'(max(_), Column, Max) :-
    '$firsts'(Column, Xs),
    '$extreme'(Xs, max, Max).
'$aggregated'(min(_), Column, Min) :-
    '$firsts'(Column, Xs),
    '$extreme'(Xs, min, Min).
'$aggregated'(max(_, _), Column, max(Max, Witness)) :-
    '$pairs'(Column, Pairs),
    '$extreme_pair'(Pairs, max, Max, Witness).
'$aggregated'(min(_, _), Column, min(Min, Witness)) :-
    '$pairs'(Column, Pairs),
    '$extreme_pair'(Pairs, min, Min, Witness).

'$firsts'([], []).
'$firsts'([[X]|Rows], [X|Xs]) :-
    '$firsts'(Rows, Xs).

'$pairs'([], []).
'$pairs'([[X,W]|Rows], [X-W|Pairs]) :-
    '$pairs'(Rows, Pairs).

aggregate_all(count, Discriminator, Goal, Count) :-
    !,
    findall(Discriminator, Goal, Xs0),
    sort(Xs0, Xs),
    length(Xs, Count).
aggregate_all(sum(X), Discriminator, Goal, Sum) :-
    !,
    findall(Discriminator-X, Goal, Pairs0),
    sort(Pairs0, Pairs),
    '$values'(Pairs, Xs),
    '$sum'(Xs, 0, Sum).
aggregate_all(max(X), Discriminator, Goal, Max) :-
    !,
    findall(Discriminator-X, Goal, Pairs0),
    sort(Pairs0, Pairs),
    '$values'(Pairs, Xs),
    '$extreme'(Xs, max, Max).
aggregate_all(min(X), Discriminator, Goal, Min) :-
    !,
    findall(Discriminator-X, Goal, Pairs0),
    sort(Pairs0, Pairs),
    '$values'(Pairs, Xs),
    '$extreme'(Xs, min, Min).
aggregate_all(bag(X), Discriminator, Goal, Xs) :-
    !,
    findall(Discriminator-X, Goal, Pairs0),
    sort(Pairs0, Pairs),
    '$values'(Pairs, Xs).
aggregate_all(set(X), Discriminator, Goal, Set) :-
    findall(Discriminator-X, Goal, Pairs0),
    sort(Pairs0, Pairs),
    '$values'(Pairs, Xs),
    sort(Xs, Set).

'$values'([], []).
'$values'([_-X|Pairs], [X|Xs]) :-
    '$values'(Pairs, Xs).
