%% Rivers, jugs, and money.
% ?- jugs(P), length(P, N).
% ?- farmer(P), length(P, N).
% ?- money(S-E-N-D, M-O-R-Y).
% ?- safe_state(s(l,l,r,r)).

jugs(Path) :- breadth([[0-0]], [], Reversed), reverse(Reversed, Path).
breadth([[A-B|P]|_], _, [A-B|P]) :- ( A =:= 4 ; B =:= 4 ), !.
breadth([[S|P]|Queue], Seen, R) :-
    (   memberchk(S, Seen)
    ->  breadth(Queue, Seen, R)
    ;   findall([T,S|P], pour(S, T), Next),
        append(Queue, Next, Queue1),
        breadth(Queue1, [S|Seen], R)
    ).

pour(_-B, 3-B).
pour(A-_, A-5).
pour(_-B, 0-B).
pour(A-_, A-0).
pour(A-B, C-D) :- K is min(A, 5-B), K > 0, C is A-K, D is B+K.
pour(A-B, C-D) :- K is min(B, 3-A), K > 0, C is A+K, D is B-K.

farmer(Path) :- cross(s(l,l,l,l), [s(l,l,l,l)], R), !, reverse(R, Path).
cross(s(r,r,r,r), P, P).
cross(S, P, R) :- step(S, T), safe_state(T), \+ memberchk(T, P), cross(T, [T|P], R).

step(s(F,W,G,C), s(E,W,G,C)) :- opposite(F, E).
step(s(F,F,G,C), s(E,E,G,C)) :- opposite(F, E).
step(s(F,W,F,C), s(E,W,E,C)) :- opposite(F, E).
step(s(F,W,G,F), s(E,W,G,E)) :- opposite(F, E).
opposite(l, r).
opposite(r, l).
safe_state(s(F,W,G,C)) :- \+ ( W == G, F \== G ), \+ ( G == C, F \== G ).

money(S-E-N-D, M-O-R-Y) :-
    M = 1,
    pick(S, [0,2,3,4,5,6,7,8,9], L1), S >= 8,
    pick(O, L1, L2), O < 2,
    pick(E, L2, L3), pick(N, L3, L4),
    N =:= (E+1) mod 10,
    pick(R, L4, L5), pick(D, L5, L6), pick(Y, L6, _),
    S*1000+E*100+N*10+D+M*1000+O*100+R*10+E =:= M*10000+O*1000+N*100+E*10+Y, !.

pick(X, [X|Xs], Xs).
pick(X, [Y|Ys], [Y|Zs]) :- pick(X, Ys, Zs).
