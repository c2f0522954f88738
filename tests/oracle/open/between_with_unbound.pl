% between/3 with a third argument that may be unbound has several solutions; it is taken for a test.
% Move into tests/fixtures once the bounds hold.

a(1).
a(2).
a(3).

%! twice(?X).
% twice(_) counts 10 over all solutions; the upper bound says 4.
twice(X) :- between(1, 3, X), a(_).

%! upto(+N:int, ?X).
% upto(4, _) counts 13; the upper bound says 4.
upto(N, X) :- between(1, N, X), a(_).

%! one(?X).
% one(_) has three solutions; the report says semidet.
one(X) :- between(1, 3, X).
