%% N queens by selecting columns.
% ?- queens(6, Qs).
% ?- queens(3, Qs).
% ?- findall(Q, queens(5, Q), L), length(L, N).

queens(N, Qs) :- numlist(1, N, Ns), place(Ns, [], Qs).

place([], Qs, Qs).
place(Free, Placed, Qs) :-
    pick(Q, Free, Rest),
    safe(Placed, Q, 1),
    place(Rest, [Q|Placed], Qs).

safe([], _, _).
safe([P|Ps], Q, D) :-
    Q =\= P+D, Q =\= P-D,
    D1 is D+1,
    safe(Ps, Q, D1).

pick(X, [X|Xs], Xs).
pick(X, [Y|Ys], [Y|Zs]) :- pick(X, Ys, Zs).
