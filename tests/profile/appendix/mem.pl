% Memory: a list of 10,000 integers, copied twice, and one with each of them doubled.
% predicates: 5
% goal: mem
mem :-
    from_to(1, 10000, L),
    copied(L, L1),
    copied(L1, L2),
    doubled(L2, L3),
    length(L3, 10000).

from_to(N, M, []) :- N > M, !.
from_to(N, M, [N|Ns]) :- N1 is N + 1, from_to(N1, M, Ns).

copied([], []).
copied([X|Xs], [X|Ys]) :- copied(Xs, Ys).

doubled([], []).
doubled([X|Xs], [Y|Ys]) :- twice(X, Y), doubled(Xs, Ys).

twice(X, Y) :- Y is 2 * X.
