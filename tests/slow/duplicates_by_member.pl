% asks: How can I remove duplicates faster? With 20000 words my version never comes back.
% call: input_list(N, L), no_doubles(L, _)
% predicate: no_doubles/2
% sizes: 250 500 1000 2000 4000
% class: n^2
% cause: member

no_doubles(List, Unique) :-
    no_doubles(List, [], Unique).

no_doubles([], _, []).
no_doubles([X|Xs], Seen, Unique) :-
    member(X, Seen), !,
    no_doubles(Xs, Seen, Unique).
no_doubles([X|Xs], Seen, [X|Unique]) :-
    \+ member(X, Seen),
    no_doubles(Xs, [X|Seen], Unique).

input_list(N, L) :- numlist(1, N, L).
