% Solutions are collected for their sum, or for the least or greatest one.
%
% The sum of integers does not depend on their order. `aggregate_all/3` starts from its template, which must be unbound, and without solutions from its result. It is no faster
% for `count`, so that `length/2` of solutions stays, nor for the first element of `sort/2`, which takes few comparisons if solutions are already in order.

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
