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
