% Table 7: powset, 11 elements. The lists with the new element are put in front of those without.
%! powset(+Xs:list(int), -Ys) is det.
powset([], [[]]).
powset([X|L], P) :- powset(L, P0), extend(P0, X, P, P0).

extend([], _, P, P).
extend([S|Ss], X, [[X|S]|R], T) :- extend(Ss, X, R, T).
