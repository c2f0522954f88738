% Table 7: palindro, 9 elements: the palindrome of length 2^n-1 in which the last elements stand innermost.
%! palindro(+Xs:list, -Ys) is det.
palindro([], []).
palindro([H|T], R) :- palindro(T, L), palindro(T, M), append(L, [H|M], R).

append([], X, X).
append([X|Xs], Y, [X|Zs]) :- append(Xs, Y, Zs).
