% Copies a list although the original could be used.
%
% `findall/3` and `copy_term/2` create new variables, so the original must not contain any; for `append/3`, a proper list suffices. If the result of `findall/3` is bound to a term
% that is not a list, the call raises an exception.

what("Use the original instead of a copy").
short_runs(local("no copy")).
conditions("For `append/3`, the original is a proper list. `findall/3` and `copy_term/2` create new variables, so the original must contain none; for `findall/3`, it is also a proper list.").

rewrite(findall(X, member(X, Xs), Ys), Ys = Xs) :-
    private(X),
    outside(Ys, Xs),
    unbound(Ys),
    ground_list(Xs).

rewrite(copy_term(X, Y), Y = X) :-
    ground(X).

rewrite(append(Xs, [], Ys), Ys = Xs) :-
    list(Xs).
