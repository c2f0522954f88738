%%% applies: all elements, which may have variables
%! any(+Xs:list, +Ys:list, -X) is nondet.
any(Xs, Ys, X) :- append(Xs, Ys, Zs), member(X, Zs), X \== 1, !.
%%% to
%! any(+Xs:list, +Ys:list, -X) is nondet.
any(Xs, Ys, X) :- ( member(X, Xs) ; member(X, Ys) ), X \== 1, !.
%%% applies: copies of both, in a condition
%! some(+Xs:list(int), +Ys:list(int), -R) is det.
some(Xs, Ys, R) :-
    (   conc(Xs, Ys, Zs),
        in(X, Zs),
        X > 7
    ->  R = X
    ;   R = 0
    ).

conc([], L, L).
conc([H|T], L, [H|R]) :- conc(T, L, R).

in(X, [X|_]).
in(X, [_|Xs]) :- in(X, Xs).
%%% to
%! some(+Xs:list(int), +Ys:list(int), -R) is det.
some(Xs, Ys, R) :-
    (   ( in(X, Xs) ; in(X, Ys) ),
        X > 7
    ->  R = X
    ;   R = 0
    ).

conc([], L, L).
conc([H|T], L, [H|R]) :- conc(T, L, R).

in(X, [X|_]).
in(X, [_|Xs]) :- in(X, Xs).
%%% forbidden: the first list may be partial
%! any(?Xs, ?Ys, ?X) is nondet.
any(Xs, Ys, X) :- append(Xs, Ys, Zs), member(X, Zs).
%%% forbidden: the joined list is used
%! any(+Xs:list(int), +Ys:list(int), -X, -Zs) is nondet.
any(Xs, Ys, X, Zs) :- append(Xs, Ys, Zs), member(X, Zs).
%%% forbidden: it is looked for in the list itself
%! any(+Xs:list(int), +Ys:list(int), -X) is nondet.
any(Xs, Ys, X) :- append(Xs, _, Ys), member(X, Ys).
%%% forbidden: an element of one list alone
%! any(+Xs:list(int), +Ys:list(int), -X) is nondet.
any(Xs, Ys, X) :- append(Xs, Ys, Zs), member(X, [Zs]).
