%% Types of lambda terms by unification with the occurs check, and beta reduction.
% ?- type([], lam(x, var(x)), T).
% ?- type([], lam(f, lam(x, app(var(f), app(var(f), var(x))))), T).
% ?- type([], lam(x, app(var(x), var(x))), T).
% ?- type([], app(lam(x, var(x)), int(3)), T).
% ?- normal(app(app(lam(x, lam(y, var(x))), int(1)), int(2)), N).
% ?- church(3, C), normal(app(app(C, var(s)), var(z)), N).

type(Env, var(X), T) :- memberchk(X-U, Env), unify_with_occurs_check(T, U).
type(_, int(N), int) :- integer(N).
type(Env, lam(X, B), T->U) :- type([X-T|Env], B, U).
type(Env, app(F, A), U) :- type(Env, F, FT), type(Env, A, T), unify_with_occurs_check(FT, (T->U)).

normal(T, N) :- ( reduce(T, U) -> normal(U, N) ; N = T ).

reduce(app(lam(X, B), A), C) :- substitute(B, X, A, C), !.
reduce(app(F, A), app(G, A)) :- reduce(F, G), !.
reduce(app(F, A), app(F, B)) :- reduce(A, B), !.
reduce(lam(X, B), lam(X, C)) :- reduce(B, C).

substitute(var(X), X, A, A) :- !.
substitute(var(Y), _, _, var(Y)).
substitute(int(N), _, _, int(N)).
substitute(lam(X, B), X, _, lam(X, B)) :- !.
substitute(lam(Y, B), X, A, lam(Y, C)) :- substitute(B, X, A, C).
substitute(app(F, B), X, A, app(G, C)) :- substitute(F, X, A, G), substitute(B, X, A, C).

church(N, lam(f, lam(x, B))) :- church_body(N, B).
church_body(0, var(x)) :- !.
church_body(N, app(var(f), B)) :- M is N-1, church_body(M, B).
