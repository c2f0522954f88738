% Collects solutions only to compute their sum, minimum or maximum.
%
% The sum of integers does not depend on their order. `aggregate_all/3` requires an unbound template at its start, and an unbound result if there are no solutions. Two similar goals
% are kept, because `aggregate_all/3` is no faster: `length/2` of the solutions, and the first element of `sort/2`, which needs few comparisons if the solutions are already in order.

what("Aggregate the solutions without a list").
short_runs(not_dearer).
layout(arguments).
conditions("The solutions are integers, the list is used for nothing else, and the result is unbound.").

(   rewrite((findall(X, G, Xs), sum_list(Xs, Y)), aggregate_all(sum(X), G, Y))
;   rewrite((findall(X, G, Xs), max_list(Xs, Y)), aggregate_all(max(X), G, Y))
;   rewrite((findall(X, G, Xs), min_list(Xs, Y)), aggregate_all(min(X), G, Y))
) :-
    in_row,
    callable(G),
    private(Xs),
    private(X, G),
    variable(Y),
    at(2, integers(Xs)),
    at(2, unbound(Y)).
