%% A meta-interpreter with cut-free clauses, depth counting and proof trees.
% ?- prove(rev([1,2,3], R), Proof).
% ?- steps(rev([1,2,3,4], R), N).
% ?- findall(X-Y, prove(conc(X, Y, [a]), _), L).
% ?- prove(unknown(X), P).

:- dynamic rule/2.

rule(conc([], Ys, Ys), true).
rule(conc([X|Xs], Ys, [X|Zs]), conc(Xs, Ys, Zs)).
rule(rev([], []), true).
rule(rev([X|Xs], Ys), (rev(Xs, Zs), conc(Zs, [X], Ys))).
rule(smaller(X, Y), {X < Y}).

prove(true, true) :- !.
prove((A,B), (P,Q)) :- !, prove(A, P), prove(B, Q).
prove({G}, builtin(G)) :- !, call(G).
prove(G, G-P) :- rule(G, B), prove(B, P).

steps(G, N) :- steps(G, 0, N).
steps(true, N, N) :- !.
steps((A,B), N0, N) :- !, steps(A, N0, N1), steps(B, N1, N).
steps(G, N0, N) :- rule(G, B), N1 is N0+1, steps(B, N1, N).
