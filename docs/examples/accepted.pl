%% A false assertion that is left as it is, and one that holds.

% costlens: ignore[assertion-false] lists have at most ten elements here
%! reversed(+Xs:list, -Ys:list) is det.
%  @cost steps =< 10*length(Xs) + 5
reversed([], []).
reversed([X|Xs], Ys) :-
    reversed(Xs, Zs),
    joined(Zs, [X], Ys).

%! joined(+Xs:list, +Ys:list, -Zs:list) is det.
%  @cost steps = length(Xs) + 1
joined([], Ys, Ys).
joined([X|Xs], Ys, [X|Zs]) :-
    joined(Xs, Ys, Zs).
