% asks: N queens finds all answers for 6 quickly but for 10 I can go and have lunch, how do I speed it up?
% call: queens(N, _)
% predicate: queens/2
% sizes: 5 6 7 8 9
% class: n!
% cause: permutation
% solutions: all

queens(N, Qs) :-
    numlist(1, N, Rows),
    permutation(Rows, Qs),
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
