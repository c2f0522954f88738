% Joins the lists of a list by a fold that appends each list to the result so far.
%
% Both versions join proper lists. The fold traverses each list once for each following list. `append/2` traverses each list once, including the last list, which the fold does not
% traverse. The closure is `[L, A, B]>>append(A, L, B)`, or a predicate that consists of the corresponding clause.

what("Join all lists at once").
short_runs(not_dearer_where("if no list is empty and the last list is no longer than the first", 15)).
conditions("The lists are proper and are the elements of a proper list. The fold starts with `[]`.").

rewrite(foldl(C, Ls, [], R), append(Ls, R)) :-
    appends(C),
    lists(Ls).
