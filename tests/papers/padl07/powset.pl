% Table 4: powset, 12 elements. The lists with the new element are put in front of those without.
%! powset(+Xs:list(int), -Ys) is det.
powset([], [[]]).
powset([X|L], P) :- powset(L, P0), extend(P0, X, P0, P).

extend([], _, P, P).
extend([S|Ss], X, P0, [[X|S]|P]) :- extend(Ss, X, P0, P).
