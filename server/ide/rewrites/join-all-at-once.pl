% The lists of a list are joined by a fold, one after the other to the end of the result.
%
% Both join proper lists into one. The fold traverses each list once for each following list, `append/2` just once; the last list is traversed for the first time. The
% closure is `[L, A, B]>>append(A, L, B)`, or a predicate with this one clause.

what("Join all lists at once").
short_runs(not_dearer_where("where no list is empty and the last one not longer than the first", 15)).
conditions("The lists are proper ones, in a proper list; the fold begins with `[]`.").

rewrite(foldl(C, Ls, [], R), append(Ls, R)) :-
    appends(C),
    lists(Ls).
