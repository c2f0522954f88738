%%% says: Fibonacci's numbers
%! fib(+N:nat, -F:int) is det.
fib(0, 0).
fib(1, 1).
fib(N, F) :- N > 1, A is N-1, B is N-2, fib(A, X), fib(B, Y), F is X+Y.
%%% says: paths through a grid
%! paths(+X:nat, +Y:nat, -N:int) is det.
paths(0, _, 1).
paths(X, 0, 1) :- X > 0.
paths(X, Y, N) :- X > 0, Y > 0, A is X-1, B is Y-1, paths(A, Y, K), paths(X, B, L), N is K+L.
%%% says: binomial coefficients
%! choose(+N:nat, +K:nat, -C:int) is det.
choose(_, 0, 1).
choose(0, K, 0) :- K > 0.
choose(N, K, C) :- N > 0, K > 0, M is N-1, J is K-1, choose(M, J, A), choose(M, K, B), C is A+B.
%%% says: the longest common subsequence
%! lcs(+Xs:list(int), +Ys:list(int), -N:int) is det.
lcs([], _, 0).
lcs([_|_], [], 0).
lcs([X|Xs], [Y|Ys], N) :- X =:= Y, lcs(Xs, Ys, M), N is M+1.
lcs([X|Xs], [Y|Ys], N) :- X =\= Y, lcs(Xs, [Y|Ys], A), lcs([X|Xs], Ys, B), N is max(A, B).
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
