% asks: Finding the biggest number in a list of 30 takes forever, but the list is tiny! Why?
% call: input_list(N, L), biggest(L, _)
% predicate: biggest/2
% sizes: 12 14 16 18 20
% class: 2^n
% cause: biggest

biggest([X], X).
biggest([X|Xs], X) :-
    biggest(Xs, M),
    X > M.
biggest([X|Xs], M) :-
    biggest(Xs, M),
    X =< M.

% rising, so that the second clause always fails at its test
input_list(N, L) :- numlist(1, N, L).
