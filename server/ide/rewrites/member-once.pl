% Calls `member/2` although only its first solution matters.
%
% For a proper list, `memberchk(X, Xs)` is equivalent to `once(member(X, Xs))`. As the last goal of a condition or negation, or before a cut, only the first solution matters. For a
% term that does not end in a list, `memberchk/2` raises an exception, whereas `member/2` fails. The variant inspects the same elements and leaves no choice point.

what("Use `memberchk/2`").
short_runs(local("leaves no choice point")).
det.
layout(arguments).
conditions("The list is proper, and only the first solution of the goal matters. If a term does not end in a list, `memberchk/2` raises an exception, whereas `member/2` fails.").

rewrite(member(X, Xs), memberchk(X, Xs)) :-
    first_solution,
    ends_in_list(Xs).
