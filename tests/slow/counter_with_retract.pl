% asks: I read that assert and retract are slow, is that why my counting loop takes so long?
% call: input_reset(N), count_multiples(N, 7, _)
% predicate: count_multiples/3
% sizes: 40000 80000 160000 320000 640000
% class: n
% cause: retract

:- dynamic counter/1.

count_multiples(N, K, Total) :-
    retractall(counter(_)),
    assertz(counter(0)),
    loop(1, N, K),
    counter(Total).

loop(I, N, _) :- I > N, !.
loop(I, N, K) :-
    (   0 is I mod K
    ->  retract(counter(C)),
        C1 is C + 1,
        assertz(counter(C1))
    ;   true
    ),
    I1 is I + 1,
    loop(I1, N, K).

input_reset(_) :- retractall(counter(_)).
