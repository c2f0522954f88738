% asks: I count the ways to climb a staircase with 1, 2 or 3 steps at a time, why does it hang at 35 stairs?
% call: ways(N, _)
% predicate: ways/2
% sizes: 16 18 20 22 24
% class: 1.839^n
% cause: ways

ways(0, 1) :- !.
ways(1, 1) :- !.
ways(2, 2) :- !.
ways(N, W) :-
    N1 is N - 1,
    N2 is N - 2,
    N3 is N - 3,
    ways(N1, W1),
    ways(N2, W2),
    ways(N3, W3),
    W is W1 + W2 + W3.
