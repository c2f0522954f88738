% asks: This sort is only two lines and looks very logical, so why can it not sort 12 numbers?
% call: input_falling(N, L), psort(L, _)
% predicate: psort/2
% sizes: 5 6 7 8 9
% class: n!
% cause: permutation

psort(List, Sorted) :-
    permutation(List, Sorted),
    in_order(Sorted), !.

in_order([]).
in_order([_]).
in_order([A,B|Rest]) :-
    A =< B,
    in_order([B|Rest]).

input_falling(N, L) :-
    numlist(1, N, Up),
    reverse(Up, L).
