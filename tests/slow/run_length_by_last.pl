% asks: My run length encoder looks at the last pair of the result so far. It works but why is it quadratic?
% call: input_list(N, L), encode(L, _)
% predicate: encode/2
% sizes: 200 400 800 1600 3200
% class: n^2
% cause: append

encode(List, Runs) :-
    encode(List, [], Runs).

encode([], Runs, Runs).
encode([X|Xs], Done, Runs) :-
    (   append(Before, [X-N], Done)
    ->  N1 is N + 1,
        append(Before, [X-N1], Done1)
    ;   append(Done, [X-1], Done1)
    ),
    encode(Xs, Done1, Runs).

% runs of length two
input_list(N, L) :-
    findall(X, (between(1, N, I), X is (I // 2) mod 5), L).
