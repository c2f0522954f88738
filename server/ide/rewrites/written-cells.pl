% Elements that are written in the clause are put in front of a list by a call.
%
% `append/3` enters one clause for each written element, whatever else is bound. If the resulting list is bound, it unifies the elements one after the other, and
% wakes goals that wait for them in between: so the list must be unbound, or the elements must contain no variables.

what("Write the elements in front of the list").
short_runs(not_dearer).
conditions("The list that comes of it is unbound, or the elements that are written have no variables: goals that wait for these would be woken in another order.").

rewrite(append(Xs, Ys, Zs), Zs = cells(Xs, Ys)) :-
    written(Xs),
    unbound_or_ground(Zs, Xs).

rewrite(append(Xs, Ys, Zs), Zs = cells(Xs, Ys)) :-
    written(Xs),
    ground_elements(Xs).
