% asks: My own flatten is ok for flat lists but very slow for deeply nested ones, how do the built-ins do it?
% call: input_nested(N, L), flat(L, _)
% predicate: flat/2
% sizes: 250 500 1000 2000 4000
% class: n^2
% cause: append

flat([], []) :- !.
flat([H|T], Flat) :- !,
    flat(H, FlatH),
    flat(T, FlatT),
    append(FlatH, FlatT, Flat).
flat(X, [X]).

% [[[[a],b],c],d] and so on, N deep
input_nested(N, L) :- input_nested(N, [], L).

input_nested(0, L, L) :- !.
input_nested(N, L0, L) :-
    N1 is N - 1,
    input_nested(N1, [L0,N], L).
