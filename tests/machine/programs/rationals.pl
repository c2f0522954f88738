%% Exact numbers: continued fractions, Egyptian fractions, big integers.
% ?- X is 2 rdiv 6, Y is X + 1 rdiv 3, Z is X ** 2.
% ?- continued(355 rdiv 113, Cs).
% ?- egyptian(4 rdiv 13, Es).
% ?- harmonic(10, H).
% ?- X = 1r3, rational(X, N, D).
% ?- X is 2 ** 100, Y is 3 ** 50, Z is X mod Y.
% ?- compare(O, 1r3, 0.3333333333333333), compare(P, 1, 1.0), compare(Q, 1r2, 0.5).
% ?- X is rationalize(0.1), Y is rational(0.5).
% ?- X is numerator(3r9), Y is denominator(3r9).
% ?- sort([1r2, 0.5, 1, 0.25, 1r4], L).
% ?- fib(200, F).
% ?- binomial(50, 25, B).

continued(E, Cs) :- X is E, cf(X, Cs).
cf(X, [X]) :- integer(X), !.
cf(X, [N|Cs]) :- N is floor(X), Y is 1 rdiv (X - N), cf(Y, Cs).

egyptian(E, Es) :- X is E, eg(X, Es).
eg(X, []) :- X =:= 0, !.
eg(X, [1/D|Es]) :- D is ceiling(1 rdiv X), Y is X - 1 rdiv D, eg(Y, Es).

harmonic(N, H) :- numlist(1, N, Ns), foldl([K,A,B]>>(B is A + 1 rdiv K), Ns, 0, H).

fib(N, F) :- fib(N, 0, 1, F).
fib(0, A, _, A) :- !.
fib(N, A, B, F) :- M is N-1, C is A+B, fib(M, B, C, F).

binomial(N, K, B) :- binomial(K, N, 1, B).
binomial(0, _, B, B) :- !.
binomial(K, N, B0, B) :- M is N-K+1, K1 is K-1, binomial(K1, N, 1, B1), numlist(M, M, [F]), B is B1*F*B0//K.
