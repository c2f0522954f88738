% asks: I collect the things I have seen and clean the list with list_to_set, that can not be so expensive, can it?
% call: input_list(N, L), collect(L, _)
% predicate: collect/2
% sizes: 100 200 400 800 1600
% class: n^2 log n
% cause: list_to_set

collect(Items, Seen) :-
    foldl(see, Items, [], Seen).

see(Item, Seen0, Seen) :-
    list_to_set([Item|Seen0], Seen).

% different numbers in no order
input_list(N, L) :-
    findall(X, (between(1, N, I), X is (I * 7919) mod 100003), L).
