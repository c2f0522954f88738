%%% says: Fibonacci's numbers
%! fib(+N:nat, -F:int) is det.
fib(0, 0).
fib(1, 1).
fib(N, F) :- N > 1, A is N-1, B is N-2, fib(A, X), fib(B, Y), F is X+Y.
%%% hint
% 2: with a table (`:- table fib/2.`) `fib/2` takes at most n + 1 steps in place of ≈ 1.447·1.618ⁿ-1: below a call are at most n + 1 different ones, each of which takes at most 1 step of its own (n = int(N))
%%% says: paths through a grid
%! paths(+X:nat, +Y:nat, -N:int) is det.
paths(0, _, 1).
paths(X, 0, 1) :- X > 0.
paths(X, Y, N) :- X > 0, Y > 0, A is X-1, B is Y-1, paths(A, Y, K), paths(X, B, L), N is K+L.
%%% hint
% 2: with a table (`:- table paths/3.`) `paths/3` takes at most n·m + n + m + 1 steps in place of ≤ 3·2ⁿ·2ᵐ/4-1, except for 0 ≤ n ≤ 1, m ≥ 1 or n ≥ 2, m = 1 or n ≥ 0, m = 0: below a call are at most n·m + n + m + 1 different ones, each of which takes at most 1 step of its own (n = int(X), m = int(Y))
%%% says: binomial coefficients
%! choose(+N:nat, +K:nat, -C:int) is det.
choose(_, 0, 1).
choose(0, K, 0) :- K > 0.
choose(N, K, C) :- N > 0, K > 0, M is N-1, J is K-1, choose(M, J, A), choose(M, K, B), C is A+B.
%%% hint
% 2: with a table (`:- table choose/3.`) `choose/3` takes at most n·m + n + m + 1 steps in place of ≤ 2ⁿ⁺¹-1: below a call are at most n·m + n + m + 1 different ones, each of which takes at most 1 step of its own (n = int(N), m = int(K))
%%% says: the longest common subsequence
%! lcs(+Xs:list(int), +Ys:list(int), -N:int) is det.
lcs([], _, 0).
lcs([_|_], [], 0).
lcs([X|Xs], [Y|Ys], N) :- X =:= Y, lcs(Xs, Ys, M), N is M+1.
lcs([X|Xs], [Y|Ys], N) :- X =\= Y, lcs(Xs, [Y|Ys], A), lcs([X|Xs], Ys, B), N is max(A, B).
%%% hint
% 2: with a table (`:- table lcs/3.`) `lcs/3` takes at most n·m + n + m + 1 steps in place of ≤ 3·2ⁿ·2ᵐ/4-1, except for n = 1 or m = 0 or n = 0: below a call are at most n·m + n + m + 1 different ones, each of which takes at most 1 step of its own (n = length(Xs), m = length(Ys))
%%% says: cuts, a condition, an argument handed on
%! trib(+N:nat, +K:int, -T:int) is det.
trib(N, K, T) :- N < 3, !, T = K.
trib(N, K, T) :-
    A is N-1, B is N-2, C is N-3,
    trib(A, K, X), trib(B, K, Y), trib(C, K, Z),
    (   X > Y
    ->  T is X+Y+Z
    ;   T is Y+Z
    ).
%%% hint
% 2: with a table (`:- table trib/3.`) `trib/3` takes at most n + 1 steps in place of ≈ 0.653·1.839ⁿ-1/2: below a call are at most n + 1 different ones, each of which takes at most 1 step of its own (n = int(N))
%%% silent: a polynomial
%! triangle(+N:nat, -T:int) is det.
triangle(0, 0).
triangle(N, T) :- N > 0, M is N-1, triangle(M, S), T is S+N.
%%% silent: an effect
%! fib(+N:nat, -F:int) is det.
fib(0, 0).
fib(1, 1).
fib(N, F) :- N > 1, A is N-1, B is N-2, fib(A, X), fib(B, Y), F is X+Y, write(F).
%%% silent: more solutions than one
%! path(+N:nat, -P) is nondet.
path(0, []).
path(N, [l|P]) :- N > 0, M is N-1, path(M, P).
path(N, [r|P]) :- N > 0, M is N-1, path(M, P).
%%% silent: each call is another one
%! hanoi(+N:nat, +A:int, +B:int, +C:int, -M:int) is det.
hanoi(0, _, _, _, 0).
hanoi(N, A, B, C, M) :- N > 0, K is N-1, hanoi(K, A, C, B, X), hanoi(K, C, B, A, Y), M is X+Y+1.
%%% silent: the results of the calls are asked for with known values
%! fib(+N:nat, +F:int) is semidet.
fib(0, 0).
fib(1, 1).
fib(N, F) :- N > 1, A is N-1, B is N-2, C is F//2, fib(A, C), fib(B, C).
%%% silent: there is a table
:- table fib/2.
%! fib(+N:nat, -F:int) is det.
fib(0, 0).
fib(1, 1).
fib(N, F) :- N > 1, A is N-1, B is N-2, fib(A, X), fib(B, Y), F is X+Y.
