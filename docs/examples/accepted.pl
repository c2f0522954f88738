%% A false assertion that is left as it is, and one that holds.

% costlens: ignore[assertion-false] lists have at most ten elements here
%! nrev(+Xs:list, -Ys:list) is det.
%  @cost steps =< 10*length(Xs) + 5
nrev([], []).
nrev([X|Xs], Ys) :-
    nrev(Xs, Zs),
    app(Zs, [X], Ys).

%! app(+Xs:list, +Ys:list, -Zs:list) is det.
%  @cost steps = length(Xs) + 1
app([], Ys, Ys).
app([X|Xs], Ys, [X|Zs]) :-
    app(Xs, Ys, Zs).
