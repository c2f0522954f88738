%% Hofstadter's MU puzzle: theorems within a depth.
% ?- theorem(3, [m,u,i]).
% ?- theorem(4, [m,u,i,i,u]).
% ?- theorem(3, [m,u]).
% ?- once(theorem(4, [m,i,u,i|_])).

theorem(_, [m,i]).
theorem(D, T) :- D > 0, E is D-1, theorem(E, S), rule(S, T).

rule(S, T) :- ends_in_i(S, T).
rule([m|S], [m|T]) :- append(S, S, T).
rule(S, T) :- three(S, T).
rule(S, T) :- two(S, T).

ends_in_i([i], [i,u]).
ends_in_i([X|Xs], [X|Ys]) :- ends_in_i(Xs, Ys).

three([i,i,i|Xs], [u|Xs]).
three([X|Xs], [X|Ys]) :- three(Xs, Ys).

two([u,u|Xs], Xs).
two([X|Xs], [X|Ys]) :- two(Xs, Ys).
