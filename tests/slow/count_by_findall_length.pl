% asks: I want a histogram of a list of numbers and it is slow when there are many different values, any idea?
% call: input_list(N, L), histogram(L, _)
% predicate: histogram/2
% sizes: 400 800 1600 3200 6400
% class: n^2
% cause: findall

histogram(List, Hist) :-
    sort(List, Values),
    counts(Values, List, Hist).

counts([], _, []).
counts([V|Vs], List, [V-C|Hist]) :-
    findall(x, member(V, List), Xs),
    length(Xs, C),
    counts(Vs, List, Hist).

input_list(N, L) :- numlist(1, N, L).
