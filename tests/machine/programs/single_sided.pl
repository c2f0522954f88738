%% Rules with `=>`: heads that only match, guards, errors where none applies.
% ?- len([a,b], N).
% ?- len(X, N).
% ?- sign(-5, S), sign(0, T), sign(3, U).
% ?- sign(a, S).
% ?- conc([1], [2], L).
% ?- conc(X, [1], L).

len([], N) => N = 0.
len([_|Xs], N) => len(Xs, M), N is M+1.

sign(X, S), X < 0 => S = negative.
sign(0, S) => S = zero.
sign(X, S), X > 0 => S = positive.

conc([], Ys, Zs) => Zs = Ys.
conc([X|Xs], Ys, Zs) => Zs = [X|Rest], conc(Xs, Ys, Rest).
