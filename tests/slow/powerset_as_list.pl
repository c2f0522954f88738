% asks: I build the power set of a list, after 20 elements it eats all the memory, is there a better way?
% call: input_list(N, L), powerset(L, _)
% predicate: powerset/2
% sizes: 10 12 14 16 18
% class: 2^n
% cause: powerset

powerset([], [[]]).
powerset([X|Xs], Sets) :-
    powerset(Xs, Without),
    add_to_all(X, Without, With),
    append(Without, With, Sets).

add_to_all(_, [], []).
add_to_all(X, [S|Ss], [[X|S]|Rs]) :-
    add_to_all(X, Ss, Rs).

input_list(N, L) :- numlist(1, N, L).
