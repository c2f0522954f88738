% A counter in the database: every clause is asserted, called twice and retracted.
:- dynamic(counter/1).

count(0) :- !.
count(N) :-
    counter(C),
    retract(counter(C)),
    D is C+1,
    assertz(counter(D)),
    M is N-1,
    count(M).

bench(N) :-
    retractall(counter(_)),
    assertz(counter(0)),
    count(N),
    counter(N).
