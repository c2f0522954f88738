% Table 7: evalpol, 100 coefficients: the value of a polynomial at a point, by Horner's rule.
%! evalpol(+Cs:list(int), +X:int, -V) is det.
evalpol([], _, 0).
evalpol([C|Cs], X, V) :- evalpol(Cs, X, V1), V is V1*X+C.
