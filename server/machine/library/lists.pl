%% Predicates on lists in all modes, where the texts that bounds are inferred from say less, and those that no bound is
%% inferred for yet.

permutation(Xs, Ys) :-
    '$list_end'(Xs, XEnd),
    '$list_end'(Ys, YEnd),
    (   XEnd == [], YEnd == []
    ->  length(Xs, N),
        length(Ys, N)
    ;   var(XEnd), YEnd == []
    ->  length(Ys, N),
        length(Xs, N)
    ;   XEnd == [], var(YEnd)
    ->  length(Xs, N),
        length(Ys, N)
    ;   var(XEnd), var(YEnd)
    ->  length(Xs, N),
        length(Ys, N)
    ;   must_be(list, Xs),
        must_be(list, Ys)
    ),
    perm_(Xs, Ys).

append(Lists, List) :-
    must_be(list, Lists),
    append_(Lists, List).

proper_length(List, Length) :-
    is_list(List),
    length(List, Length).

max_member(Pred, Max, [X|Xs]) :-
    max_member_pred_(Xs, Pred, X, Max).

max_member_pred_([], _, Max, Max).
max_member_pred_([X|Xs], Pred, Max0, Max) :-
    (   call(Pred, Max0, X)
    ->  max_member_pred_(Xs, Pred, X, Max)
    ;   max_member_pred_(Xs, Pred, Max0, Max)
    ).

min_member(Pred, Min, [X|Xs]) :-
    min_member_pred_(Xs, Pred, X, Min).

min_member_pred_([], _, Min, Min).
min_member_pred_([X|Xs], Pred, Min0, Min) :-
    (   call(Pred, X, Min0)
    ->  min_member_pred_(Xs, Pred, X, Min)
    ;   min_member_pred_(Xs, Pred, Min0, Min)
    ).

nth0(Index, Xs, X, Rest) :-
    (   integer(Index)
    ->  must_be(nonneg, Index),
        nth_with_rest_(Index, Xs, X, Rest)
    ;   var(Index)
    ->  nth_with_rest_(Xs, X, Rest, 0, Index)
    ;   must_be(nonneg, Index)
    ).

nth1(Index, Xs, X, Rest) :-
    (   integer(Index)
    ->  must_be(positive_integer, Index),
        Index0 is Index-1,
        nth_with_rest_(Index0, Xs, X, Rest)
    ;   var(Index)
    ->  nth_with_rest_(Xs, X, Rest, 1, Index)
    ;   must_be(positive_integer, Index)
    ).

nth_with_rest_(0, Xs, X, Rest) :-
    !,
    Xs = [X|Rest].
nth_with_rest_(N, [Y|Xs], X, [Y|Rest]) :-
    M is N-1,
    nth_with_rest_(M, Xs, X, Rest).

nth_with_rest_([X|Xs], X, Xs, N, N).
nth_with_rest_([Y|Xs], X, [Y|Rest], N0, N) :-
    N1 is N0+1,
    nth_with_rest_(Xs, X, Rest, N1, N).


% These take proper lists alone: what is none has no matching rule. Step for step as the texts that bounds are inferred from.

sum_list_([], Sum0, Sum) =>
    Sum = Sum0.
sum_list_([X|Xs], Sum0, Sum) =>
    Sum1 is Sum0+X,
    sum_list_(Xs, Sum1, Sum).

max_list([X|Xs], Max) =>
    max_list_(Xs, X, Max).
max_list([], _) =>
    fail.

max_list_([], Max0, Max) =>
    Max = Max0.
max_list_([X|Xs], Max0, Max) =>
    Max1 is max(X, Max0),
    max_list_(Xs, Max1, Max).

min_list([X|Xs], Min) =>
    min_list_(Xs, X, Min).
min_list([], _) =>
    fail.

min_list_([], Min0, Min) =>
    Min = Min0.
min_list_([X|Xs], Min0, Min) =>
    Min1 is min(X, Min0),
    min_list_(Xs, Min1, Min).

subtract([], _, Zs) =>
    Zs = [].
subtract([X|Xs], Ys, Zs) =>
    (   memberchk(X, Ys)
    ->  subtract(Xs, Ys, Zs)
    ;   Zs = [X|Rest],
        subtract(Xs, Ys, Rest)
    ).

intersection([], _, Zs) =>
    Zs = [].
intersection([X|Xs], Ys, Zs) =>
    (   memberchk(X, Ys)
    ->  Zs = [X|Rest],
        intersection(Xs, Ys, Rest)
    ;   intersection(Xs, Ys, Zs)
    ).

union([], Ys, Zs) =>
    Zs = Ys.
union([X|Xs], Ys, Zs) =>
    (   memberchk(X, Ys)
    ->  union(Xs, Ys, Zs)
    ;   Zs = [X|Rest],
        union(Xs, Ys, Rest)
    ).
