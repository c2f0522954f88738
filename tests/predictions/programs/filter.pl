% A particle filter: the shape of that of hybrid prediction (§IV.A, §V). filter(P, T, K, S): P particles, T time intervals, K tasks that results are sent to.
% Chance comes from a generator of the program's own, so that a call has the same counts each time.
filter(P, T, K, S) :- particles(P, 17, Ps), intervals(T, Ps, K, 0, S).

particles(0, _, []).
particles(P, R, [X|Ps]) :- P > 0, next(R, Q), X is Q mod 100, M is P-1, particles(M, Q, Ps).

next(R, Q) :- Q is (R*1103515245 + 12345) mod 2147483648.

intervals(0, _, _, S, S).
intervals(T, Ps, K, S0, S) :-
    T > 0,
    moved(Ps, T, Qs),
    best(Qs, 0, B),
    kept(Qs, B, Rs),
    spread(Rs, Qs, Ns),
    report(K, B, C),
    S1 is S0+C,
    U is T-1,
    intervals(U, Ns, K, S1, S).

moved([], _, []).
moved([P|Ps], T, [Q|Qs]) :- Q is (P*31 + T*17) mod 100, moved(Ps, T, Qs).

best([], B, B).
best([P|Ps], B0, B) :- ( P > B0 -> B1 = P ; B1 = B0 ), best(Ps, B1, B).

% Those that are near the best: how many depends on where they are.
kept([], _, []).
kept([P|Ps], B, Rs) :- ( P*2 >= B -> Rs = [P|Qs] ; Rs = Qs ), kept(Ps, B, Qs).

% As many as before, from those that were kept.
spread(Rs, Qs, Ns) :- spread(Qs, Rs, Rs, Ns).
spread([], _, _, []).
spread([_|Qs], [], All, Ns) :- All = [A|As], Ns = [A|Ms], spread(Qs, As, All, Ms).
spread([_|Qs], [R|Rs], All, [R|Ns]) :- spread(Qs, Rs, All, Ns).

% What is sent to each task.
report(0, _, 0).
report(K, B, C) :- K > 0, L is K-1, report(L, B, D), C is D+B.
