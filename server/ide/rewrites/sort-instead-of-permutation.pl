% Sorts a list by searching its permutations for the sorted one.
%
% Equal integers are identical, so there is exactly one sorted list. It may be found several times, so that only the first solution may matter. `ordered/1` is recognised by its
% clauses. Each tried permutation takes at least one step.

what("Sort the list").
short_runs(not_dearer_where("where the list in order is not among the first n·log₂ n permutations", 0)).
any_order.
conditions("The list has integers alone, the permutation is unbound, and only the first solution matters.").

rewrite((permutation(Xs, Ys), ordered(Ys)), msort(Xs, Ys)) :-
    first_solution,
    variable(Ys),
    integers(Xs),
    unbound(Ys).
