%%% applies: quicksort, with a copy of append/3 and the pivot in front
%! qs(+Xs:list(int), -Ys) is det.
qs([], []).
qs([X|Xs], Ys) :-
    parts(Xs, X, Ls, Gs),
    qs(Ls, A),
    qs(Gs, B),
    conc(A, [X|B], Ys).

parts([], _, [], []).
parts([Y|Ys], X, [Y|Ls], Gs) :- Y =< X, parts(Ys, X, Ls, Gs).
parts([Y|Ys], X, Ls, [Y|Gs]) :- Y > X, parts(Ys, X, Ls, Gs).

conc([], Ys, Ys).
conc([X|Xs], Ys, [X|Zs]) :- conc(Xs, Ys, Zs).
%%% to
%! qs(+Xs:list(int), -Ys) is det.
qs(A, List) :- qs(A, List, []).

qs([], Rest, Rest).
qs([X|Xs], A, Rest) :-
    parts(Xs, X, Ls, Gs),
    qs(Ls, A, [X|B]),
    qs(Gs, B, Rest).

parts([], _, [], []).
parts([Y|Ys], X, [Y|Ls], Gs) :- Y =< X, parts(Ys, X, Ls, Gs).
parts([Y|Ys], X, Ls, [Y|Gs]) :- Y > X, parts(Ys, X, Ls, Gs).

conc([], Ys, Ys).
conc([X|Xs], Ys, [X|Zs]) :- conc(Xs, Ys, Zs).
%%% applies: three parts, leaves with labels, an argument beside
:- regtype t/1.
t(l(_)).
t(n(A, B, C)) :- t(A), t(B), t(C).

:- pred all(K, T, Xs) : (atm(K), t(T), var(Xs)).
all(K, l(X), [K, X]).
all(K, n(A, B, C), Xs) :-
    all(K, A, As), all(K, B, Bs), all(K, C, Cs),
    append(As, Bs, ABs), append(ABs, Cs, Xs).
%%% to
:- regtype t/1.
t(l(_)).
t(n(A, B, C)) :- t(A), t(B), t(C).

:- pred all(K, T, Xs) : (atm(K), t(T), var(Xs)).
all(A, B, List) :- all(A, B, List, []).

all(K, l(X), [K, X|Rest], Rest).
all(K, n(A, B, C), As, Rest) :-
    all(K, A, As, Bs), all(K, B, Bs, Cs), all(K, C, Cs, Rest).
%%% forbidden: the list may be known
:- regtype tree/1.
tree(l).
tree(t(L, _, R)) :- tree(L), tree(R).

:- pred flat(T, Xs) : (tree(T), list(Xs)).
flat(l, []).
flat(t(L, X, R), F) :- flat(L, A), flat(R, B), append(A, [X|B], F).
%%% forbidden: a part is used twice
:- regtype tree/1.
tree(l).
tree(t(L, _, R)) :- tree(L), tree(R).

:- pred flat(T, Xs) : (tree(T), var(Xs)).
flat(l, []).
flat(t(L, X, R), F) :- flat(L, A), flat(R, B), length(A, N), append(A, [X-N|B], F).
%%% forbidden: another list is in front
:- regtype tree/1.
tree(l).
tree(t(L, _, R)) :- tree(L), tree(R).

:- pred flat(Ys, T, Xs) : (list(Ys), tree(T), var(Xs)).
flat(_, l, []).
flat(Ys, t(L, X, R), F) :- flat(Ys, L, A), flat(Ys, R, B), append(A, [X|B], C), append(Ys, C, F).
%%% forbidden: it is no append
:- regtype tree/1.
tree(l).
tree(t(L, _, R)) :- tree(L), tree(R).

:- pred flat(T, Xs) : (tree(T), var(Xs)).
flat(l, []).
flat(t(L, X, R), F) :- flat(L, A), flat(R, B), join(A, [X|B], F).

join([], Ys, Ys).
join([X|Xs], Ys, [X,X|Zs]) :- join(Xs, Ys, Zs).
%%% forbidden: callers are unknown
flat(l, []).
flat(t(L, X, R), F) :- flat(L, A), flat(R, B), append(A, [X|B], F).
