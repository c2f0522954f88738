% Computes more than an element and does not use the rest.
%
% With an unbound index, `nth0/3` and `nth1/3` return the elements in the same order as `member/2`, also for partial lists. For a term that does not end in a list, `memberchk/2`
% raises an exception, whereas `selectchk/3` fails. The solutions of `append(_, [X|_], Xs)` and of `select(X, Xs, _)` are those of `member/2`, in the same order.

what("Get only the element").
short_runs(local("builds nothing else")).
conditions("For `memberchk/2`, and instead of `append/3` and `select/3`, the list is proper: if a term does not end in a list, `memberchk/2` raises an exception, whereas `selectchk/3` fails.").

rewrite(nth0(_, Xs, X), member(X, Xs)).
rewrite(nth1(_, Xs, X), member(X, Xs)).

rewrite(selectchk(X, Xs, _), memberchk(X, Xs)) :-
    ends_in_list(Xs).

rewrite(append(_, [X|_], Xs), memberchk(X, Xs)) :-
    first_solution,
    list(Xs).

rewrite(append(_, [X|_], Xs), member(X, Xs)) :-
    all_solutions,
    list(Xs).

rewrite(select(X, Xs, _), memberchk(X, Xs)) :-
    first_solution,
    list(Xs).

rewrite(select(X, Xs, _), member(X, Xs)) :-
    all_solutions,
    list(Xs).
