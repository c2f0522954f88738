% asks: I split with length and append in my merge sort, does this make it quadratic? 100000 numbers take a while.
% call: input_values(N, Vs), merge_sort(Vs, _)
% predicate: merge_sort/2
% sizes: 2000 4000 8000 16000 32000
% class: n log n
% cause: append

merge_sort([], []) :- !.
merge_sort([X], [X]) :- !.
merge_sort(List, Sorted) :-
    length(List, Len),
    Half is Len // 2,
    length(Left, Half),
    append(Left, Right, List),
    merge_sort(Left, SortedLeft),
    merge_sort(Right, SortedRight),
    merge_lists(SortedLeft, SortedRight, Sorted), !.

merge_lists([], Ys, Ys).
merge_lists(Xs, [], Xs).
merge_lists([X|Xs], [Y|Ys], [X|Zs]) :-
    X =< Y, !,
    merge_lists(Xs, [Y|Ys], Zs).
merge_lists(Xs, [Y|Ys], [Y|Zs]) :-
    merge_lists(Xs, Ys, Zs).

% numbers in no order
input_values(N, Vs) :-
    findall(X, (between(1, N, I), X is (I * I * 7919 + I * 31) mod 100003), Vs).
