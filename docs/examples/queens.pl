% N queens, three ways, and SEND + MORE = MONEY.

% --- generate and test ---

queens_slow(N, Qs) :-
    numlist(1, N, Ns),
    permutation(Ns, Qs),
    safe(Qs).

safe([]).
safe([Q|Qs]) :-
    no_attack(Q, Qs, 1),
    safe(Qs).

no_attack(_, [], _).
no_attack(Q, [Q1|Qs], D) :-
    Q =\= Q1 + D,
    Q =\= Q1 - D,
    D1 is D + 1,
    no_attack(Q, Qs, D1).

% --- place one queen after the other ---

queens(N, Qs) :-
    numlist(1, N, Ns),
    place(Ns, [], Qs).

place([], Qs, Qs).
place(Free, Placed, Qs) :-
    select(Q, Free, Rest),
    no_attack(Q, Placed, 1),
    place(Rest, [Q|Placed], Qs).

% --- with the diagonals as lists of numbers ---

queens_diag(N, Qs) :-
    numlist(1, N, Cols),
    U is 2*N - 1,
    numlist(1, U, Ups),
    Low is 1 - N,
    High is N - 1,
    numlist(Low, High, Downs),
    diag(Cols, Cols, Ups, Downs, Qs).

diag([], _, _, _, []).
diag([C|Cs], Rows, Ups, Downs, [R|Rs]) :-
    select(R, Rows, Rows1),
    Up is C + R - 1,
    select(Up, Ups, Ups1),
    Down is C - R,
    select(Down, Downs, Downs1),
    diag(Cs, Rows1, Ups1, Downs1, Rs).

show(Qs) :-
    length(Qs, N),
    forall(member(Q, Qs), row(Q, N)).

row(Q, N) :-
    forall(between(1, N, C), ( C =:= Q -> write(' Q') ; write(' .') )),
    nl.

count_solutions(N, Count) :-
    aggregate_all(count, queens(N, _), Count).

% --- SEND + MORE = MONEY ---

money([S,E,N,D], [M,O,R,E], [M,O,N,E,Y]) :-
    M = 1,
    pick([S,E,N,D,O,R,Y], [0,2,3,4,5,6,7,8,9]),
    S > 0,
    number([S,E,N,D], A),
    number([M,O,R,E], B),
    number([M,O,N,E,Y], C),
    C =:= A + B.

pick([], _).
pick([X|Xs], Ds) :-
    select(X, Ds, Rest),
    pick(Xs, Rest).

number(Digits, N) :- number(Digits, 0, N).

number([], N, N).
number([D|Ds], N0, N) :-
    N1 is 10*N0 + D,
    number(Ds, N1, N).
