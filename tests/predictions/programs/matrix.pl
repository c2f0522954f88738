% The power of a matrix: the pilot program of hybrid prediction (§III.B). power(P, D, M): the P-th power of a matrix of dimension D.
power(P, D, M) :- matrix(D, A), identity(D, I), powers(P, A, I, M).

powers(0, _, M, M).
powers(P, A, M0, M) :- P > 0, Q is P-1, product(M0, A, M1), powers(Q, A, M1, M).

matrix(D, M) :- rows(D, D, M).
rows(0, _, []).
rows(N, D, [R|Rs]) :- N > 0, row(D, N, R), M is N-1, rows(M, D, Rs).
row(0, _, []).
row(J, N, [X|Xs]) :- J > 0, X is (J*N) mod 7, K is J-1, row(K, N, Xs).

identity(D, M) :- units(D, D, M).
units(0, _, []).
units(N, D, [R|Rs]) :- N > 0, unit(D, N, R), M is N-1, units(M, D, Rs).
unit(0, _, []).
unit(J, N, [X|Xs]) :- J > 0, ( J =:= N -> X = 1 ; X = 0 ), K is J-1, unit(K, N, Xs).

product([], _, []).
product([R|Rs], B, [P|Ps]) :- scaled(R, B, P), product(Rs, B, Ps).

% A row times a matrix: the sum of its rows, each times an element.
scaled([X], [B], P) :- !, times(B, X, P).
scaled([X|Xs], [B|Bs], P) :- times(B, X, Q), scaled(Xs, Bs, R), sum(Q, R, P).

times([], _, []).
times([A|As], X, [P|Ps]) :- P is (A*X) mod 1009, times(As, X, Ps).
sum([], [], []).
sum([A|As], [B|Bs], [C|Cs]) :- C is A+B, sum(As, Bs, Cs).
