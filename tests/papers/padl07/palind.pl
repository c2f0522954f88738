% Table 4: palind, 8 elements: the palindrome of length 2^n-1 in which the last elements stand innermost.
%! palind(+Xs:list, -Ys) is det.
palind([], []).
palind([F|L], R) :- palind(L, A), palind(L, B), append(A, [F|B], R).

append([], L, L).
append([H|T], L, [H|R]) :- append(T, L, R).
