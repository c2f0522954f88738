% Joins three lists and traverses the first one twice.
%
% If the first two lists are proper, each goal has one solution for any third list. Goals between the two calls must not use the intermediate list. In the variant, the first call
% comes after these goals.

what("Join the lists from the right").
short_runs(open).
layout(arguments).
any_order.
conditions("The first two lists are proper, and the result of the first goal is used for nothing else.").

rewrite((append(Xs, Ys, Front), goals, append(Front, Zs, All)), (append(Ys, Zs, Front), append(Xs, Front, All))) :-
    in_row,
    same_predicate,
    private(Front),
    list(Xs),
    list(Ys).
