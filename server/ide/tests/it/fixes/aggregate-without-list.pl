%%% applies: the greatest, in a condition
%! top(+Xs:list(int), -M) is det.
top(Xs, M) :-
    (   findall(Y, ( member(X, Xs), Y is X*X ), Ys),
        max_list(Ys, Top)
    ->  M = Top
    ;   M = none
    ).
%%% to
%! top(+Xs:list(int), -M) is det.
top(Xs, M) :-
    (   aggregate_all(max(Y), ( member(X, Xs), Y is X*X ), Top)
    ->  M = Top
    ;   M = none
    ).
%%% forbidden: the first of a sorted list, which takes few comparisons where the list is in order
%! least(+Xs:list(int), -M:int) is semidet.
least(Xs, M) :- findall(X, ( member(X, Xs), X > 1 ), Ys), msort(Ys, [M|_]).
%%% forbidden: the same, by a goal of its own
%! cheapest(+Prices:list(int), +Limit:int, -Least:int) is semidet.
cheapest(Prices, Limit, Least) :-
    findall(P, ( member(P, Prices), P > Limit ), Ps),
    msort(Ps, Sorted),
    Sorted = [Least|_].
%%% forbidden: elements may be no integers
%! total(+Xs:list(number), -S) is det.
total(Xs, S) :- findall(X, ( member(X, Xs), X > 1 ), Ys), sum_list(Ys, S).
%%% forbidden: the list is used
%! total(+Xs:list(int), -S, -N) is det.
total(Xs, S, N) :- findall(X, ( member(X, Xs), X > 1 ), Ys), sum_list(Ys, S), length(Ys, N).
%%% forbidden: the result may be known
%! top(+Xs:list(int), +M:int) is semidet.
top(Xs, M) :- findall(X, ( member(X, Xs), X > 1 ), Ys), max_list(Ys, M).
%%% forbidden: the template is known
%! top(+Xs:list(int), +X:int, -M) is semidet.
top(Xs, X, M) :- findall(X, ( member(X, Xs), X > 1 ), Ys), max_list(Ys, M).
%%% forbidden: the greatest of a sorted list
%! top(+Xs:list(int), -M, -R) is semidet.
top(Xs, M, R) :- findall(X, ( member(X, Xs), X > 1 ), Ys), sort(Ys, [M|R]).
%%% forbidden: counting is no slower with a list
%! count(+Xs:list(int), -N) is det.
count(Xs, N) :- findall(X, ( member(X, Xs), X > 1 ), Ys), length(Ys, N).
%%% forbidden: what is sorted is used again
%! cheapest(+Prices:list(int), -Least:int, -All) is semidet.
cheapest(Prices, Least, Sorted) :-
    findall(P, ( member(P, Prices), P > 3 ), Ps),
    msort(Ps, Sorted),
    Sorted = [Least|_].
