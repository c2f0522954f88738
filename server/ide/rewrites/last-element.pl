% Accesses the last element of a list by reversing or splitting the list.
%
% All of these goals fail for the empty list. A proper list has exactly one last element. GNU Prolog reverses a list faster than its `last/2` traverses it.

what("Use `last/2`").
short_runs(local("walks the list once")).
conditions("The list is proper. The reversed list, or the part before the last element, is used for nothing else.").

rewrite(reverse(Xs, [X|_]), last(Xs, X)) :-
    not_gnu,
    list(Xs).

rewrite((reverse(Xs, Ys), Ys = [X|_]), last(Xs, X)) :-
    not_gnu,
    in_row,
    private(Ys),
    list(Xs).

rewrite(append(_, [X], Xs), last(Xs, X)) :-
    list(Xs).
