% Naive reversal of a list of thirty elements, again and again.
bench(N) :- range(1, 30, L), times(N), nrev(L, _), fail.
bench(_).

nrev([], []).
nrev([X|Xs], Ys) :- nrev(Xs, Zs), app(Zs, [X], Ys).

app([], Ys, Ys).
app([X|Xs], Ys, [X|Zs]) :- app(Xs, Ys, Zs).

range(N, N, [N]) :- !.
range(M, N, [M|Ns]) :- M < N, M1 is M+1, range(M1, N, Ns).

% N solutions.
times(N) :- N > 0.
times(N) :- N > 1, M is N-1, times(M).
