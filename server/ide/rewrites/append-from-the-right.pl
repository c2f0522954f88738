% Three lists are joined without walking twice through the first one.
%
% If the first two lists are proper, each goal has one solution, whatever the third list is. Goals between the two do not use the list that is joined first; the first join then
% comes after them.

what("Join the lists from the right").
short_runs(open).
layout(arguments).
any_order.
conditions("Both lists in front are proper ones, and what is joined first is used for nothing else.").

rewrite((append(Xs, Ys, Front), goals, append(Front, Zs, All)), (append(Ys, Zs, Front), append(Xs, Front, All))) :-
    in_row,
    same_predicate,
    private(Front),
    list(Xs),
    list(Ys).
