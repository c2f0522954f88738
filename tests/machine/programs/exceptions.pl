%% Exceptions thrown, caught, rethrown.
% ?- catch(throw(my), E, true).
% ?- catch(risky(0), E, true).
% ?- catch(risky(1), E, true).
% ?- catch(risky(2), error(E, _), true).
% ?- catch(catch(throw(a), b, true), a, X = outer).
% ?- catch(member(X, [1,2,3]), _, true).
% ?- catch(( member(X, [1,2,3]), X >= 2, throw(found(X)) ), found(Y), true).
% ?- nested(R).
% ?- throw(_).
% ?- throw(uncaught(f(X))).
% ?- catch(number_codes(X, "3x"), error(syntax_error(S), _), true).
% ?- catch(( X = 1, throw(oops) ), oops, true), var(X).
% ?- setup_call_cleanup(write(a), write(b), write(c)).
% ?- catch(setup_call_cleanup(true, throw(x), write(cleaned)), x, write(caught)).
% ?- setup_call_cleanup(true, member(X, [1,2,3]), write(c)).
% ?- setup_call_cleanup(true, member(X, [1,2,3]), write(c)), write(X), X > 1.
% ?- call_cleanup(fail, write(c)).
% ?- call_cleanup(( member(X, [1,2]), X > 1, throw(late) ), write(c)).
% ?- call_cleanup(member(X, [a]), write(c)), write(X).
% ?- call_cleanup(member(X, [a, b]), member(X, [b, c])).
% ?- retry(3, N).
% ?- deep(1000, R).

risky(0) :- throw(zero).
risky(1) :- X is foo+1, write(X).
risky(2) :- atom_length(_, _).

nested(R) :- catch(inner, E, R = got(E)).
inner :- catch(throw(first), first, throw(second)).

retry(N, M) :- catch(attempt(N), again(K), ( L is K-1, retry(L, M) )), ( var(M) -> M = N ; true ).
attempt(0) :- !.
attempt(N) :- throw(again(N)).

deep(N, R) :- catch(down(N), bottom(B), R = B).
down(0) :- throw(bottom(reached)).
down(N) :- M is N-1, down(M), true.
