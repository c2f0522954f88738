% A term with 81,111 atoms becomes the list of its atoms.
% predicates: 4
% goal: make(81111, T), flat(T, L), length(L, 81111)
flat(T, L) :- flat(T, L, []).

flat(t(A, B), L, R) :- !, flat(A, L, L1), flat(B, L1, R).
flat(A, [A|R], R) :- is_leaf(A).

is_leaf(A) :- atomic(A).

% The input: a balanced tree.
make(1, a) :- !.
make(N, t(A, B)) :- L is N // 2, R is N - L, make(L, A), make(R, B).
