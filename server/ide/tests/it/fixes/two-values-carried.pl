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

rabbits(1, _, F, F).
rabbits(N, A, B, F) :-
    N > 1,
    M is N-1,
    C is A+B,
    rabbits(M, B, C, F).
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
%%% forbidden: a difference
%! fib(+N:int, -F) is semidet.
fib(0, 0).
fib(1, 1).
fib(N, F) :- N > 1, A is N-1, B is N-2, fib(A, X), fib(B, Y), F is X-Y.
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

fib(1, _, F, F).
fib(N, A, B, F) :-
    N > 1,
    M is N-1,
    C is A+B,
    fib(M, B, C, F).
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

fib(1, _, F, F).
fib(N, A, B, F) :-
    N > 1,
    M is N-1,
    C is A+B,
    fib(M, B, C, F).
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
