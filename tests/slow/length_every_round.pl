% asks: I walk through a list and stop at the last element, why does it take seconds for a long list?
% call: input_list(N, L), keep_small(L, 500, _)
% predicate: keep_small/3
% sizes: 2000 4000 8000 16000 32000
% class: n^2
% cause: length

% keep_small(+List, +Max, -Small): only the numbers up to Max
keep_small(List, _, []) :-
    length(List, 0).
keep_small(List, Max, Small) :-
    length(List, Len),
    Len > 0,
    List = [X|Rest],
    (   X =< Max
    ->  Small = [X|More]
    ;   Small = More
    ),
    keep_small(Rest, Max, More).

input_list(N, L) :- numlist(1, N, L).
