% A graph of dynamic facts and rules that are called again and again.
:- dynamic(edge/2).
:- dynamic(path/3).

setup :-
    retractall(edge(_, _)),
    retractall(path(_, _, _)),
    forall(between(1, 30, X), ( Y is X+1, assertz(edge(X, Y)), Z is X+2, assertz(edge(X, Z)) )),
    assertz((path(X0, X0, 0) :- !)),
    assertz((path(A, C, N) :- edge(A, B), B =< C, path(B, C, M), N is M+1)).

rounds(0) :- !.
rounds(N) :-
    path(1, 31, L),
    L =:= 30,
    \+ ( path(1, 12, K), K < 0 ),
    M is N-1,
    rounds(M).

bench(N) :-
    setup,
    rounds(N).
