% Reverses a list twice.
%
% A proper list has exactly one reversal, and the reversal of that is the list.

what("Use the list itself").
short_runs(local("no reversal")).
conditions("The list is proper, and its reversal is used for nothing else.").

rewrite((reverse(Xs, Ys), reverse(Ys, Zs)), Zs = Xs) :-
    private(Ys),
    list(Xs).
