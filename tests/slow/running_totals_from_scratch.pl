% asks: My running totals of a year of data take longer than downloading the data, what is the usual way?
% call: input_list(N, L), totals(L, _)
% predicate: totals/2
% sizes: 150 300 600 1200 2400
% class: n^2
% cause: sum_list

totals(List, Totals) :-
    length(List, N),
    numlist(1, N, Ks),
    maplist(total_of_first(List), Ks, Totals).

total_of_first(List, K, Total) :-
    length(Prefix, K),
    append(Prefix, _, List), !,
    sum_list(Prefix, Total).

input_list(N, L) :- numlist(1, N, L).
