%% Unification itself, on Prolog terms that stand for other terms.
% ?- unifier(f(v(1),b), f(a,v(2)), S).
% ?- unifier(f(v(1)), v(1), S).
% ?- unifier(g(v(1),v(1)), g(v(2),c), S).
% ?- unifier(a, b, S).
% ?- unifier(f(v(1),v(2),v(3)), f(v(2),v(3),a), S).

unifier(X, Y, S) :- solve([X=Y], [], S0), msort(S0, S).

solve([], S, S).
solve([X0=Y0|Es], S0, S) :-
    walk(X0, S0, X), walk(Y0, S0, Y),
    solve(X, Y, Es, S0, S).

solve(v(N), v(N), Es, S0, S) :- !, solve(Es, S0, S).
solve(v(N), Y, Es, S0, S) :- !, \+ occurs(N, Y, S0), solve(Es, [N-Y|S0], S).
solve(X, v(N), Es, S0, S) :- !, \+ occurs(N, X, S0), solve(Es, [N-X|S0], S).
solve(X, Y, Es, S0, S) :-
    X =.. [F|Xs], Y =.. [F|Ys],
    equations(Xs, Ys, Es, Fs),
    solve(Fs, S0, S).

equations([], [], Es, Es).
equations([X|Xs], [Y|Ys], Es, [X=Y|Fs]) :- equations(Xs, Ys, Es, Fs).

walk(v(N), S, T) :- memberchk(N-U, S), !, walk(U, S, T).
walk(T, _, T).

occurs(N, T0, S) :- walk(T0, S, T), occurs_in(T, N, S).
occurs_in(v(N), N, _) :- !.
occurs_in(v(_), _, _) :- !, fail.
occurs_in(T, N, S) :- T =.. [_|As], member(A, As), occurs(N, A, S), !.
