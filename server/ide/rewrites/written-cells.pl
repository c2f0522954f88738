% Calls `append/3` to put known elements in front of a list.
%
% `append/3` enters one clause for each known element, whatever else is bound. If the resulting list is bound, `append/3` unifies the elements one after the other, and may wake
% delayed goals in between. The list must therefore be unbound, or the elements must contain no variables.

what("Write the elements in front of the list").
short_runs(local("no call")).
conditions("The resulting list is unbound, or the known elements contain no variables. In all other cases, delayed goals could be woken in a different order.").

rewrite(append(Xs, Ys, Zs), Zs = cells(Xs, Ys)) :-
    written(Xs),
    unbound_or_ground(Zs, Xs).

rewrite(append(Xs, Ys, Zs), Zs = cells(Xs, Ys)) :-
    written(Xs),
    ground_elements(Xs).
