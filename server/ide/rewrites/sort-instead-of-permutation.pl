% Of all permutations of a list the one that is in order is looked for.
%
% Equal integers are identical, so that there is one sorted list; it may be found several times, and only the first time may matter. `ordered/1` is recognised by its
% clauses. Each permutation that is tried takes at least one step.

what("Sort the list").
short_runs(not_dearer_where("where the list in order is not among the first n·log₂ n permutations", 0)).
any_order.
conditions("The list has integers alone, the permutation is unbound, and only the first solution matters.").

rewrite((permutation(Xs, Ys), ordered(Ys)), msort(Xs, Ys)) :-
    first_solution,
    variable(Ys),
    integers(Xs),
    unbound(Ys).
