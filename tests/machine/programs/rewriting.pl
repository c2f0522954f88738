%% Rewriting of propositions to a normal form of conditionals, and a tautology check over it.
% ?- tautology(implies(and(p,q), p)).
% ?- tautology(implies(p, and(p,q))).
% ?- tautology(or(p, not(p))).
% ?- tautology(implies(and(implies(p,q), implies(q,r)), implies(p,r))).
% ?- rewrite(implies(p, not(q)), T).

rewrite(T, T) :- atom(T), !.
rewrite(T0, T) :-
    T0 =.. [F|As0],
    rewrite_all(As0, As),
    T1 =.. [F|As],
    (   equal(T1, T2)
    ->  rewrite(T2, T)
    ;   T = T1
    ).

rewrite_all([], []).
rewrite_all([A0|As0], [A|As]) :- rewrite(A0, A), rewrite_all(As0, As).

equal(and(P,Q), if(P,Q,f)).
equal(or(P,Q), if(P,t,Q)).
equal(not(P), if(P,f,t)).
equal(implies(P,Q), if(P,Q,t)).
equal(if(if(A,B,C),D,E), if(A,if(B,D,E),if(C,D,E))).

tautology(P) :- rewrite(P, N), tautology(N, [], []).

tautology(t, _, _) :- !.
tautology(f, _, _) :- !, fail.
tautology(X, True, _) :- memberchk(X, True), !.
tautology(if(P,Q,R), True, False) :-
    !,
    (   true_in(P, True)
    ->  tautology(Q, True, False)
    ;   false_in(P, False)
    ->  tautology(R, True, False)
    ;   tautology(Q, [P|True], False),
        tautology(R, True, [P|False])
    ).

true_in(t, _) :- !.
true_in(X, True) :- memberchk(X, True).
false_in(f, _) :- !.
false_in(X, False) :- memberchk(X, False).
