% All ways to put eight queens on a board, by choosing from those that are left.
bench(N) :- times(N), count, fail.
bench(_).

count :- queens(8, _), fail.
count.

queens(N, Qs) :- range(1, N, Ns), place(Ns, [], Qs).

place([], Qs, Qs).
place(Left, Safe, Qs) :-
    take(Q, Left, Rest),
    \+ attacked(Q, 1, Safe),
    place(Rest, [Q|Safe], Qs).

attacked(Q, D, [Y|_]) :- Q is Y+D.
attacked(Q, D, [Y|_]) :- Q is Y-D.
attacked(Q, D, [_|Ys]) :- D1 is D+1, attacked(Q, D1, Ys).

take(X, [X|Xs], Xs).
take(X, [Y|Ys], [Y|Zs]) :- take(X, Ys, Zs).

range(N, N, [N]) :- !.
range(M, N, [M|Ns]) :- M < N, M1 is M+1, range(M1, N, Ns).

% N solutions.
times(N) :- N > 0.
times(N) :- N > 1, M is N-1, times(M).
