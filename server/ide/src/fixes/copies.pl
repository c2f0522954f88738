% Textbook definitions of `p`, and of a helper `q` if there is one. Each starts with a directive that names the library predicate and the arguments of `p` that may be assumed to be
% proper lists, so that clauses with tests and cuts are equivalent.
%
% For a proper list and, if the second argument is an output, an unbound second argument, each definition has the answers of the library predicate, in the same order. The
% definitions of `permutation/2` return all permutations in any order. Comparisons are `<`, `=<`, `@<` and `@=<` without negation. The operands of sums may be in any order.
%
% `equal` starts a definition that has the same answers as a library predicate but a higher cost.

:- copy(append, [1]).
p([], L, L).
p([X|Xs], L, [X|Ys]) :- p(Xs, L, Ys).

:- copy(append_one, [1]).
p([], X, [X]).
p([Y|Xs], X, [Y|Ys]) :- p(Xs, X, Ys).

:- copy(member, []).
p(X, [X|_]).
p(X, [_|Xs]) :- p(X, Xs).

:- copy(length, [1]).
p([], 0).
p([_|Xs], N) :- p(Xs, M), N is M+1.

:- copy(length, [1]).
p(Xs, N) :- q(Xs, 0, N).
q([], N, N).
q([_|Xs], M, N) :- K is M+1, q(Xs, K, N).

:- copy(reverse, [1]).
p(Xs, Ys) :- q(Xs, [], Ys).
q([], Ys, Ys).
q([X|Xs], Zs, Ys) :- q(Xs, [X|Zs], Ys).

:- copy(last, []).
p([X], X).
p([_|Xs], X) :- p(Xs, X).

:- copy(last, []).
p([X], X).
p([_,Y|Xs], X) :- p([Y|Xs], X).

:- copy(last, []).
p([X|Xs], Y) :- q(Xs, X, Y).
q([], X, X).
q([X|Xs], _, Y) :- q(Xs, X, Y).

:- copy(sum_list, [1]).
p([], 0).
p([X|Xs], S) :- p(Xs, T), S is X+T.

:- copy(sum_list, [1]).
p(Xs, S) :- q(Xs, 0, S).
q([], S, S).
q([X|Xs], T, S) :- R is T+X, q(Xs, R, S).

:- copy(max_list, []).
p([X], X).
p([X|Xs], M) :- p(Xs, N), M is max(X, N).

:- copy(max_list, []).
p([X|Xs], M) :- q(Xs, X, M).
q([], M, M).
q([X|Xs], N, M) :- K is max(N, X), q(Xs, K, M).

:- copy(min_list, []).
p([X], X).
p([X|Xs], M) :- p(Xs, N), M is min(X, N).

:- copy(min_list, []).
p([X|Xs], M) :- q(Xs, X, M).
q([], M, M).
q([X|Xs], N, M) :- K is min(N, X), q(Xs, K, M).

:- copy(permutation, [1]).
p([], []).
p(L, [X|P]) :- q(X, L, R), p(R, P).
q(X, [X|T], T).
q(X, [H|T], [H|R]) :- q(X, T, R).

:- copy(permutation, [1]).
p([], []).
p([H|T], [X|P]) :- q(X, [H|T], R), p(R, P).
q(X, [X|T], T).
q(X, [H|T], [H|R]) :- q(X, T, R).

:- copy(permutation, [1]).
p([], []).
p([X|Xs], P) :- p(Xs, Q), q(X, Q, P).
q(X, L, [X|L]).
q(X, [H|T], [H|R]) :- q(X, T, R).

:- copy(permutation, [1]).
p([], []).
p([X|Xs], P) :- p(Xs, Q), q(X, P, Q).
q(X, [X|T], T).
q(X, [H|T], [H|R]) :- q(X, T, R).

:- copy(permutation, [1]).
p([], []).
p(L, [X|P]) :- select(X, L, R), p(R, P).

:- copy(permutation, [1]).
p([], []).
p([H|T], [X|P]) :- select(X, [H|T], R), p(R, P).

:- copy(permutation, [1]).
p([], []).
p([X|Xs], P) :- p(Xs, Q), select(X, P, Q).

:- copy(ordered, [1]).
p([]).
p([_]).
p([X,Y|Xs]) :- X =< Y, p([Y|Xs]).

:- copy(ordered, [1]).
p([]).
p([_]).
p([X,Y|Xs]) :- X @=< Y, p([Y|Xs]).

:- copy(ordered, [1]).
p([]).
p([X|Xs]) :- q(Xs, X).
q([], _).
q([Y|Ys], X) :- X =< Y, q(Ys, Y).

:- copy(ordered, [1]).
p([]).
p([X|Xs]) :- q(Xs, X).
q([], _).
q([Y|Ys], X) :- X @=< Y, q(Ys, Y).

:- equal(reverse).
p([], []).
p([X|Xs], Ys) :- p(Xs, Zs), append(Zs, [X], Ys).
