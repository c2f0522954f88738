% Each atom of a formula is replaced by its value. The formula has
% 59,049 times A = a+b*c+c*d-e as factors, so that its size is 708,587.
% predicates: 3
% goal: formula(E), substitute(E, [a = 2, b = 3, c = 4, d = 5, e = 6], _)
substitute(F, Values, G) :- compound(F), !, F =.. [Op, A, B], substitute(A, Values, A1), substitute(B, Values, B1), G =.. [Op, A1, B1].
substitute(A, Values, V) :- value(Values, A, V).

value([A = V|_], A, V) :- !.
value([_|Values], A, V) :- value(Values, A, V).

% The input.
formula(E) :- A = (a + b * c + c * d - e), numlist(2, 59049, Ns), foldl([_, E0, E0 * A]>>true, Ns, A, E).
