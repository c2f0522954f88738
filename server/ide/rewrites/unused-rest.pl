% Computes more than an element and does not use the rest.
%
% With an unbound index, `nth0/3` and `nth1/3` return the elements in the same order as `member/2`, also for partial lists. For a term that does not end in a list, `memberchk/2`
% raises an exception, whereas `selectchk/3` fails.

what("Get only the element").
short_runs(not_dearer).
conditions("For `memberchk/2`, the list is proper: if a term does not end in a list, `memberchk/2` raises an exception, whereas `selectchk/3` fails.").

rewrite(nth0(_, Xs, X), member(X, Xs)).
rewrite(nth1(_, Xs, X), member(X, Xs)).

rewrite(selectchk(X, Xs, _), memberchk(X, Xs)) :-
    ends_in_list(Xs).
