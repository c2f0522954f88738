% asks: To get the distinct elements I take one and delete all its copies from the rest. Why is sort so much faster than this?
% call: input_list(N, L), distinct(L, _)
% predicate: distinct/2
% sizes: 250 500 1000 2000 4000
% class: n^2
% cause: delete

distinct([], []).
distinct([X|Xs], [X|Ys]) :-
    delete(Xs, X, Rest),
    distinct(Rest, Ys).

% all different
input_list(N, L) :- numlist(1, N, L).
