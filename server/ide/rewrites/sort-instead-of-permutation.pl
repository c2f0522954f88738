% Sorts a list by searching its permutations for the sorted one.
%
% Equal integers are identical, so there is exactly one sorted list. The original may find the sorted list several times, so only its first solution may matter. `ordered/1` is
% recognised by its clauses. Each tried permutation takes at least one step.

what("Sort the list").
short_runs(not_dearer_where("if the sorted list is not among the first n·log₂ n permutations", 0)).
any_order.
conditions("The list contains only integers, the permutation is unbound, and only the first solution matters.").

rewrite((permutation(Xs, Ys), ordered(Ys)), msort(Xs, Ys)) :-
    first_solution,
    variable(Ys),
    integers(Xs),
    unbound(Ys).
