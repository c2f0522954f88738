%%% applies: other names, values, order
%! rabbits(+Month:int, -Pairs) is semidet.
rabbits(1, 3).
rabbits(0, 2).
rabbits(Month, Pairs) :-
    2 =< Month,
    Last is Month-1, rabbits(Last, Old),
    Before is Month-2, rabbits(Before, Young),
    Pairs is Young+Old.
%%% to
%! rabbits(+Month:int, -Pairs) is semidet.
rabbits(1, 3).
rabbits(0, 2).
rabbits(Month, Pairs) :-
    2 =< Month,
    rabbits(Month, 2, 3, Pairs).

rabbits(N, A, B, F) :-
    (   N > 1
    ->  M is N-1,
        C is A+B,
        rabbits(M, B, C, F)
    ;   F = B
    ).
%%% forbidden: below 0 it runs for ever
%! fib(+N:int, -F) is det.
fib(0, 0) :- !.
fib(1, 1) :- !.
fib(N, F) :- A is N-1, B is N-2, fib(A, X), fib(B, Y), F is X+Y.
%%% forbidden: the result may be known before
%! fib(+N:int, ?F) is semidet.
fib(0, 0).
fib(1, 1).
fib(N, F) :- N > 1, A is N-1, B is N-2, fib(A, X), fib(B, Y), F is X+Y.
%%% forbidden: 1 goes both ways
%! fib(+N:int, -F) is nondet.
fib(0, 0).
fib(1, 1).
fib(N, F) :- N > 0, A is N-1, B is N-2, fib(A, X), fib(B, Y), F is X+Y.
%%% forbidden: a difference of the value and the number
%! fib(+N:int, -F) is semidet.
fib(0, 0).
fib(1, 1).
fib(N, F) :- N > 1, A is N-1, B is N-2, fib(A, X), fib(B, Y), F is X-Y+N.
%%% forbidden: the number may be a float
%! fib(+N:number, -F) is nondet.
fib(0, 0).
fib(1, 1).
fib(N, F) :- N > 1, A is N-1, B is N-2, fib(A, X), fib(B, Y), F is X+Y.
%%% applies: an if-then-else
%! fib(+N:int, -F:int) is det.
fib(N, F) :-
    (   N < 2
    ->  F = N
    ;   N1 is N-1, N2 is N-2,
        fib(N1, F1), fib(N2, F2),
        F is F1+F2
    ).
%%% to
%! fib(+N:int, -F:int) is det.
fib(N, F) :-
    (   N < 2
    ->  F = N
    ;   fib(N, 0, 1, F)
    ).

fib(N, A, B, F) :-
    (   N > 1
    ->  M is N-1,
        C is B+A,
        fib(M, B, C, F)
    ;   F = B
    ).
%%% applies: the value first, cuts
%! fib(-F, +N:int) is semidet.
fib(1, 0) :- !.
fib(1, 1) :- !.
fib(F, N) :- N >= 2, A is N-1, B is N-2, fib(X, A), fib(Y, B), F is X+Y.
%%% to
%! fib(-F, +N:int) is semidet.
fib(1, 0) :- !.
fib(1, 1) :- !.
fib(F, N) :- N >= 2, fib(N, 1, 1, F).

fib(N, A, B, F) :-
    (   N > 1
    ->  M is N-1,
        C is B+A,
        fib(M, B, C, F)
    ;   F = B
    ).
%%% forbidden: branches for 0 and 1 that are both tried
%! fib(+N:int, -F:int) is nondet.
fib(N, F) :-
    (   N < 2, F = N
    ;   N =:= 1, F = 7
    ;   N > 1, N1 is N-1, N2 is N-2, fib(N1, F1), fib(N2, F2), F is F1+F2
    ).
%%% forbidden: a value for 5
%! fib(+N:int, -F:int) is nondet.
fib(0, 0).
fib(1, 1).
fib(5, 7).
fib(N, F) :- N > 1, N1 is N-1, N2 is N-2, fib(N1, F1), fib(N2, F2), F is F1+F2.
%%% applies: factors, a constant, brackets, the smaller number from the larger one
%! seq(+N:int, -F:int) is semidet.
seq(0, -2).
seq(1, 3).
seq(K, R) :-
    K >= 2,
    K1 is K-1,
    K2 is K1 + -1,
    seq(K2, Q),
    seq(K1, P),
    R is (P - 2*Q)*3 + 1.
%%% to
%! seq(+N:int, -F:int) is semidet.
seq(0, -2).
seq(1, 3).
seq(K, R) :-
    K >= 2,
    seq(K, -2, 3, R).

seq(N, A, B, F) :-
    (   N > 1
    ->  M is N-1,
        C is (B - 2*A)*3 + 1,
        seq(M, B, C, F)
    ;   F = B
    ).
%%% applies: a difference
%! fib(+N:int, -F) is semidet.
fib(0, 0).
fib(1, 1).
fib(N, F) :- N > 1, A is N-1, B is N-2, fib(A, X), fib(B, Y), F is X-Y.
%%% to
%! fib(+N:int, -F) is semidet.
fib(0, 0).
fib(1, 1).
fib(N, F) :- N > 1, fib(N, 0, 1, F).

fib(N, A, B, F) :-
    (   N > 1
    ->  M is N-1,
        C is B-A,
        fib(M, B, C, F)
    ;   F = B
    ).
%%% applies: succ/2 and plus/3
%! stairs(+N:int, -F:int) is semidet.
stairs(0, 1).
stairs(1, 1).
stairs(N, F) :-
    N > 1, succ(M, N), plus(K, 2, N),
    stairs(M, X), stairs(K, Y), plus(Y, X, F).
%%% to
%! stairs(+N:int, -F:int) is semidet.
stairs(0, 1).
stairs(1, 1).
stairs(N, F) :-
    N > 1, stairs(N, 1, 1, F).

stairs(N, A, B, F) :-
    (   N > 1
    ->  M is N-1,
        C is A+B,
        stairs(M, B, C, F)
    ;   F = B
    ).
%%% applies, exponential: arguments that are handed on, one of them a factor
%! horadam(+Kind:atom, +N:int, +C:int, -F:int, +A:int) is semidet.
horadam(_, 0, _, 0, _).
horadam(_, 1, _, 1, _).
horadam(Kind, N, C, F, A) :-
    N > 1,
    N1 is N-1, N2 is N-2,
    horadam(Kind, N1, C, F1, A), horadam(Kind, N2, C, F2, A),
    F is A*F1 + C*F2 - A.
%%% to
%! horadam(+Kind:atom, +N:int, +C:int, -F:int, +A:int) is semidet.
horadam(_, 0, _, 0, _).
horadam(_, 1, _, 1, _).
horadam(_Kind, N, C, F, A) :-
    N > 1,
    horadam(N, 0, 1, C, A, F).

horadam(N, A, B, P, Q, F) :-
    (   N > 1
    ->  M is N-1,
        C is Q*B + P*A - Q,
        horadam(M, B, C, P, Q, F)
    ;   F = B
    ).
%%% applies, exponential: one of them with a name that the loop has
%! steps(+B:int, +N:int, -F:int) is semidet.
steps(_, 0, 0).
steps(_, 1, 7).
steps(B, N, F) :- N > 1, A is N-1, C is N-2, steps(B, A, X), steps(B, C, Y), F is X+Y*B.
%%% to
%! steps(+B:int, +N:int, -F:int) is semidet.
steps(_, 0, 0).
steps(_, 1, 7).
steps(B, N, F) :- N > 1, steps(N, 0, 7, B, F).

steps(N, A, B, P, F) :-
    (   N > 1
    ->  M is N-1,
        C is B+A*P,
        steps(M, B, C, P, F)
    ;   F = B
    ).
%%% applies, exponential: cuts in the place of tests
:- pred ways(N, W) : (nat(N), var(W)).
ways(0, 1) :- !.
ways(1, 2) :- !.
ways(N, W) :- M is N-1, K is M-1, ways(M, WM), ways(K, WK), W is WK+WM.
%%% to
:- pred ways(N, W) : (nat(N), var(W)).
ways(0, 1) :- !.
ways(1, 2) :- !.
ways(N, W) :- ways(N, 1, 2, W).

ways(N, A, B, F) :-
    (   N > 1
    ->  M is N-1,
        C is A+B,
        ways(M, B, C, F)
    ;   F = B
    ).
%%% applies: a cut behind a test, with the value before it
%! fib(+N:int, -F) is det.
fib(N, F) :- N < 2, F = N, !.
fib(N, F) :- A is N-1, B is N-2, fib(A, X), fib(B, Y), F is X+Y.
%%% to
%! fib(+N:int, -F) is det.
fib(N, F) :- N < 2, F = N, !.
fib(N, F) :- fib(N, 0, 1, F).

fib(N, A, B, F) :-
    (   N > 1
    ->  M is N-1,
        C is B+A,
        fib(M, B, C, F)
    ;   F = B
    ).
%%% not yet: a cut in a branch: a solution behind it is not proved, so the original might take a single step
%! fib(+N:int, -F) is det.
fib(N, F) :-
    (   N =< 1, !, F = N
    ;   A is N-1, B is N-2, fib(A, X), fib(B, Y), F is X+Y
    ).
%%% applies: the step cuts, and callers pass what is not negative
:- module(climb, [climb/2, ten/1]).
%! climb(+N:nonneg, -F:int) is det.
climb(N, F) :- climbs(N, F).
%! climbs(+N:nat, -F:int) is det.
climbs(N, F) :- 2 =< N, !, A is N-1, B is N-2, climbs(A, X), climbs(B, Y), F is X+Y.
climbs(_, 1).
ten(F) :- climbs(10, F).
%%% to
:- module(climb, [climb/2, ten/1]).
%! climb(+N:nonneg, -F:int) is det.
climb(N, F) :- climbs(N, F).
%! climbs(+N:nat, -F:int) is det.
climbs(N, F) :- 2 =< N, !, climbs(N, 1, 1, F).
climbs(_, 1).

climbs(N, A, B, F) :-
    (   N > 1
    ->  M is N-1,
        C is B+A,
        climbs(M, B, C, F)
    ;   F = B
    ).
ten(F) :- climbs(10, F).
%%% forbidden: a caller passes a negative number
:- module(climb, [ten/1]).
%! ways(+N:nat, -W:int) is det.
ways(0, 1) :- !.
ways(1, 2) :- !.
ways(N, W) :- M is N-1, K is N-2, ways(M, WM), ways(K, WK), W is WK+WM.
ten(F) :- ways(-10, F).
%%% forbidden: a directive may pass a negative number
%! ways(+N:nat, -W:int) is det.
ways(0, 1) :- !.
ways(1, 2) :- !.
ways(N, W) :- M is N-1, K is N-2, ways(M, WM), ways(K, WK), W is WK+WM.
:- X is 3-4, ways(X, _).
%%% forbidden: a caller computes the number
%! ways(+N:nat, -W:int) is det.
ways(0, 1) :- !.
ways(1, 2) :- !.
ways(N, W) :- M is N-1, K is N-2, ways(M, WM), ways(K, WK), W is WK+WM.
%! before(+N:nat, -W:int) is det.
before(N, W) :- M is N-3, ways(M, W).
%%% forbidden: another line declares any integer
%! ways(+N:nat, -W:int) is det.
%! ways(+N:int, -W:int) is det.
ways(0, 1) :- !.
ways(1, 2) :- !.
ways(N, W) :- M is N-1, K is N-2, ways(M, WM), ways(K, WK), W is WK+WM.
%%% forbidden: one of the clauses in front does not cut
%! ways(+N:nat, -W:int) is nondet.
ways(0, 1).
ways(1, 2) :- !.
ways(N, W) :- M is N-1, K is N-2, ways(M, WM), ways(K, WK), W is WK+WM.
%%% forbidden: the cut is reached for one kind only
%! ways(+T:atom, +N:nat, -W:int) is nondet.
ways(a, 0, 1) :- !.
ways(_, 1, 2) :- !.
ways(T, N, W) :- M is N-1, K is N-2, ways(T, M, WM), ways(T, K, WK), W is WK+WM.
%%% forbidden: a first value for one kind only
%! fib(+T:atom, +N:int, -F:int) is semidet.
fib(a, 0, 0).
fib(_, 1, 1).
fib(T, N, F) :- N > 1, A is N-1, B is N-2, fib(T, A, X), fib(T, B, Y), F is X+Y.
%%% forbidden: the kind changes
%! fib(+T:atom, +N:int, -F:int) is semidet.
fib(_, 0, 0).
fib(_, 1, 1).
fib(T, N, F) :- N > 1, A is N-1, B is N-2, fib(T, A, X), fib(b, B, Y), F is X+Y.
%%% forbidden: the factor may be a float
%! fib(+K:number, +N:int, -F:number) is semidet.
fib(_, 0, 0).
fib(_, 1, 1).
fib(K, N, F) :- N > 1, A is N-1, B is N-2, fib(K, A, X), fib(K, B, Y), F is K*X+Y.
%%% forbidden: the factor is the first value
%! fib(+K:int, +N:int, -F:int) is semidet.
fib(_, 0, 0).
fib(K, 1, K).
fib(K, N, F) :- N > 1, A is N-1, B is N-2, fib(K, A, X), fib(K, B, Y), F is X+Y.
%%% forbidden: a division may raise an exception
%! fib(+K:int, +N:int, -F:int) is semidet.
fib(_, 0, 0).
fib(_, 1, 1).
fib(K, N, F) :- N > 1, A is N-1, B is N-2, fib(K, A, X), fib(K, B, Y), F is X+Y//K.
%%% forbidden: the last value alone
%! fib(+N:int, -F:int) is semidet.
fib(0, 0).
fib(1, 1).
fib(N, F) :- N > 1, A is N-1, B is N-2, fib(A, X), fib(B, _), F is X+X.
%%% forbidden: plus/3 is another one
:- redefine_system_predicate(plus(_, _, _)).
%! fib(+N:int, -F:int) is semidet.
fib(0, 0).
fib(1, 1).
fib(N, F) :- N > 1, A is N-1, B is N-2, fib(A, X), fib(B, Y), plus(X, Y, F).
plus(X, Y, Z) :- Z is X*Y+1.
