:- use_module(lists).

:- entry main(A, B) : (list(A, int), var(B)).

main(Numbers, Text) :-
    sorted(Numbers, Sorted),
    reversed(Sorted, Reversed),
    reversed(Reversed, Again),
    length(Again, Length),
    steps_to_one(Length, Steps),
    format(atom(Text), "~w ~w", [Steps, Again]).

%! steps_to_one(+N:int, -Steps:int) is semidet.
%  @cost steps =< 100
steps_to_one(1, 0) :- !.
steps_to_one(N, Steps) :-
    N > 1,
    (   N mod 2 =:= 0
    ->  Next is N // 2
    ;   Next is 3*N + 1
    ),
    steps_to_one(Next, Before),
    Steps is Before + 1.

report(N) :-
    steps_to_one(N, Steps),
    print_steps(Steps).

%! fib(+N:int, -F:int) is semidet.
fib(0, 0) :- !.
fib(1, 1) :- !.
fib(N, F) :-
    N > 1,
    A is N - 1,
    B is N - 2,
    fib(A, X),
    fib(B, Y),
    F is X + Y.
