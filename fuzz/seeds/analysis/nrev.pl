%! nrev(+Xs:list, -Ys:list) is det.
%  @cost steps =< 10*length(Xs) + 5
nrev([], []).
nrev([H|T], R) :- nrev(T, S), app(S, [H], R).
app([], L, L).
app([H|T], L, [H|R]) :- app(T, L, R).
