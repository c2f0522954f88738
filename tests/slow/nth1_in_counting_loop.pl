% asks: I come from C and use an index to go over my list, it is fine for 100 items but terrible for 10000, how come?
% call: input_list(N, L), dot(L, L, _)
% predicate: dot/3
% sizes: 800 1600 3200 6400 12800
% class: n^2
% cause: nth1

% dot product of two vectors
dot(V, W, Result) :-
    length(V, N),
    dot_loop(1, N, V, W, 0, Result).

dot_loop(I, N, _, _, Sum, Sum) :-
    I > N.
dot_loop(I, N, V, W, Sum, Result) :-
    I =< N,
    nth1(I, V, A),
    nth1(I, W, B),
    Sum1 is Sum + A * B,
    I1 is I + 1,
    dot_loop(I1, N, V, W, Sum1, Result).

input_list(N, L) :- numlist(1, N, L).
