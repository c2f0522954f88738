% asks: I thought quicksort was fast, but on my data (which happens to be in order) it is slower than bubble sort. Bug?
% call: input_list(N, L), quick(L, _)
% predicate: quick/2
% sizes: 200 400 800 1600 3200
% class: n^2
% cause: split

quick([], []).
quick([P|Xs], Sorted) :-
    split(P, Xs, Small, Big),
    quick(Small, S),
    quick(Big, B),
    append(S, [P|B], Sorted).

split(_, [], [], []).
split(P, [X|Xs], [X|Small], Big) :-
    X =< P, !,
    split(P, Xs, Small, Big).
split(P, [X|Xs], Small, [X|Big]) :-
    split(P, Xs, Small, Big).

input_list(N, L) :- numlist(1, N, L).
