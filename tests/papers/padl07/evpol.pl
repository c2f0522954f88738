% Table 4: evpol, 200 coefficients: the value of a polynomial at a point, by Horner's rule.
%! evpol(+Cs:list(int), +X:int, -V) is det.
evpol([], _, 0).
evpol([C|Cs], X, V) :- evpol(Cs, X, V1), V is V1*X+C.
