% asks: My homework reverse works on short lists but is very slow on a list of a few thousand elements, why?
% call: input_list(N, L), turn_around(L, _)
% predicate: turn_around/2
% sizes: 250 500 1000 2000 4000
% class: n^2
% cause: append

turn_around([], []).
turn_around([Head|Tail], Result) :-
    turn_around(Tail, TailReversed),
    append(TailReversed, [Head], Result).

input_list(N, L) :- numlist(1, N, L).
