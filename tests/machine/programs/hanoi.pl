%% Towers of Hanoi.
% ?- hanoi(3, Ms).
% ?- hanoi(10, Ms), length(Ms, N), last(Ms, L).
% ?- hanoi(0, Ms).
% ?- shown(2).

hanoi(N, Ms) :- hanoi(N, a, b, c, Ms, []).

hanoi(0, _, _, _, Ms, Ms) :- !.
hanoi(N, A, B, C, Ms, Rest) :-
    M is N-1,
    hanoi(M, A, C, B, Ms, [A-C|Ms1]),
    hanoi(M, B, A, C, Ms1, Rest).

shown(N) :- hanoi(N, Ms), forall(member(A-B, Ms), format("~w to ~w~n", [A,B])).
