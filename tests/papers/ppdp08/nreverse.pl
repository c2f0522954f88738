% Table 7: nreverse, 83 elements.
%! nreverse(+Xs:list, -Ys) is det.
nreverse([], []).
nreverse([H|T], R) :- nreverse(T, S), append(S, [H], R).

append([], X, X).
append([X|Xs], Y, [X|Zs]) :- append(Xs, Y, Zs).
