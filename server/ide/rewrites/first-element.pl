% Gets an element at a small known index.
%
% `nth0/3` and `nth1/3` with a known index bind the cells of a partial list as a match does, and leave no choice point.

what("Match the element").
short_runs(local("no call")).
conditions("The index is a small integer in the text.").

rewrite(nth0(0, Xs, X), Xs = [X|_]) :-
    variable(Xs).
rewrite(nth1(1, Xs, X), Xs = [X|_]) :-
    variable(Xs).
rewrite(nth0(1, Xs, X), Xs = [_,X|_]) :-
    variable(Xs).
rewrite(nth1(2, Xs, X), Xs = [_,X|_]) :-
    variable(Xs).
