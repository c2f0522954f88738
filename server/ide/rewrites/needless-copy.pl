% A list is copied that could be used as it is.
%
% `findall/3` and `copy_term/2` create new variables, so that the original must have none; for `append/3` a proper list is enough. If the result of `findall/3` is bound, it may
% not be a list, which raises an exception.

what("Use the original instead of a copy").
short_runs(not_dearer).
conditions("What is copied is a proper list; for `findall/3` and `copy_term/2`, which make new variables, it has none.").

rewrite(findall(X, member(X, Xs), Ys), Ys = Xs) :-
    private(X),
    outside(Ys, Xs),
    unbound(Ys),
    ground_list(Xs).

rewrite(copy_term(X, Y), Y = X) :-
    ground(X).

rewrite(append(Xs, [], Ys), Ys = Xs) :-
    list(Xs).
