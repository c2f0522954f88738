% A list is reversed, and reversed again.
%
% A proper list has one reversal, whose reversal is the list.

what("Use the list itself").
short_runs(not_dearer).
conditions("The list is a proper one, and its reversal is used for nothing else.").

rewrite((reverse(Xs, Ys), reverse(Ys, Zs)), Zs = Xs) :-
    private(Ys),
    list(Xs).
