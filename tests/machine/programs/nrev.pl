%% Naive reversal, the classic of inference counts.
% ?- nrev([1,2,3,4,5], R).
% ?- range(1, 30, L), nrev(L, R).
% ?- nrev(X, [a,b]), !.
% ?- app(X, Y, [1,2,3]).
% ?- app([1|T], [3], L).

app([], Ys, Ys).
app([X|Xs], Ys, [X|Zs]) :- app(Xs, Ys, Zs).

nrev([], []).
nrev([X|Xs], Ys) :- nrev(Xs, Zs), app(Zs, [X], Ys).

range(N, N, [N]) :- !.
range(M, N, [M|Ns]) :- M < N, M1 is M+1, range(M1, N, Ns).
