%% Sums and averages, with and without mode lines.

total([], 0).
total([X|Xs], T) :-
    total(Xs, T0),
    T is T0 + X.

%! best(+Scores:list(int), -Best:int) is semidet.
%  @cost steps =< 2*length(Scores)
best([X], X).
best([X|Xs], B) :-
    best(Xs, B0),
    B is max(X, B0).

%! ranked(?Scores, -Ranked)
ranked([], []).
ranked([X|Xs], [r(X)|Rs]) :-
    ranked(Xs, Rs).
