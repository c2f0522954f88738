% Table 7: fib, 16. The constants of the printed cost functions ask for a cut in each fact, and for no test in the last clause.
%! fib(+N:nonneg, -F) is det.
fib(0, 0) :- !.
fib(1, 1) :- !.
fib(N, F) :-
    N1 is N-1,
    N2 is N-2,
    fib(N1, F1),
    fib(N2, F2),
    F is F1+F2.
