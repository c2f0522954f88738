%! copied(+Xs:list, -Ys:list) is det.
%  @cost steps =< length(Xs)
copied([], []).
copied([X|Xs], [X|Ys]) :- copied(Xs, Ys).

%! doubled(+Xs:list, -Ys:list) is det.
doubled([], []).
doubled([X|Xs], [X, X|Ys]) :- doubled(Xs, Ys).
