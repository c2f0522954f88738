% Counts indices and looks up the element at each of them.
%
% With an unbound index, `nth1/3` traverses a list once and returns its elements with their indices in the same order.

what("Let `nth1/3` count the indices").
short_runs(not_dearer).
layout(neighbours).
conditions("The list is proper, its length is used for nothing else, and the index is unbound.").

rewrite((length(Xs, N), between(1, N, I), nth1(I, Xs, X)), nth1(I, Xs, X)) :-
    private(N),
    variable(I),
    variable(Xs),
    list(Xs),
    at(2, unbound(I)).
