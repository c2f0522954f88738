%% Difference lists as queues, and a simulation with accumulators.
% ?- empty(Q), push(1, Q, Q1), push(2, Q1, Q2), pop(X, Q2, Q3), pop(Y, Q3, Q4).
% ?- josephus(7, 3, Order).
% ?- flood([in(5),out(3),out(4),in(1)], Log).
% ?- round_robin([a-3,b-1,c-2], Trace).

empty(Q-Q).
push(X, Q-[X|R], Q-R).
pop(X, [X|Q]-R, Q-R).

josephus(N, K, Order) :- numlist(1, N, L), turn(L, K, Order).
turn([], _, []) :- !.
turn(L, K, [X|Order]) :-
    length(L, N), I is (K-1) mod N,
    length(Front, I), append(Front, [X|Back], L),
    append(Back, Front, Next),
    turn(Next, K, Order).

flood(Events, Log) :- foldl([E,S0-L0,S-[E:R|L0]]>>step(E, S0, S, R), Events, 0-[], _-Rev), reverse(Rev, Log).
step(in(N), S0, S, ok) :- S is S0+N.
step(out(N), S0, S, R) :- ( N =< S0 -> S is S0-N, R = ok ; S = S0, R = refused ).

round_robin([], []).
round_robin([P-0|Q], [done(P)|T]) :- !, round_robin(Q, T).
round_robin([P-N|Q], [run(P)|T]) :- M is N-1, append(Q, [P-M], R), round_robin(R, T).
