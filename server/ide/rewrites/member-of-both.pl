% Joins two lists only to search for an element.
%
% The elements come in the same order. If the second list is empty, `member/2` leaves a choice point that the original does not leave, so choice points must be cut, or all
% solutions must be collected. The first list must be proper; the second may be any term.

what("Search both lists without joining them").
short_runs(not_dearer).
conditions("The first list is proper, and the joined list is used for nothing else.").

rewrite((append(Xs, Ys, Zs), memberchk(X, Zs)), (memberchk(X, Xs) -> true ; memberchk(X, Ys))) :-
    private(Zs),
    list(Xs).

rewrite((append(Xs, Ys, Zs), member(X, Zs)), (member(X, Xs) ; member(X, Ys))) :-
    private(Zs),
    settled,
    list(Xs).
