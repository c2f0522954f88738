% Table 4: nrev, 50 elements.
%! nrev(+Xs:list, -Ys) is det.
nrev([], []).
nrev([H|T], R) :- nrev(T, S), append(S, [H], R).

append([], L, L).
append([H|T], L, [H|R]) :- append(T, L, R).
