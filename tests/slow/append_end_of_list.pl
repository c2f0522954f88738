% asks: My loop that collects squares gets slower and slower the longer it runs, what am I doing wrong?
% call: squares(N, _)
% predicate: squares/2
% sizes: 250 500 1000 2000 4000
% class: n^2
% cause: append

% squares(+N, -List): the squares of 1..N in order
squares(N, List) :-
    squares_loop(1, N, [], List).

squares_loop(I, N, Acc, Acc) :-
    I > N, !.
squares_loop(I, N, Acc, List) :-
    S is I * I,
    append(Acc, [S], Acc1),
    I1 is I + 1,
    squares_loop(I1, N, Acc1, List).
