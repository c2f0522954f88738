% asks: I need all elements that are larger than everything to their right. Is it possible to do it without this waiting time?
% call: input_list(N, L), leaders(L, _)
% predicate: leaders/2
% sizes: 250 500 1000 2000 4000
% class: n^2
% cause: max_list

leaders([], []).
leaders([X], [X]) :- !.
leaders([X|Xs], Leaders) :-
    max_list(Xs, Max),
    (   X > Max
    ->  Leaders = [X|Rest]
    ;   Leaders = Rest
    ),
    leaders(Xs, Rest).

input_list(N, L) :- numlist(1, N, L).
