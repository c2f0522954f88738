%%% reverse-with-accumulator: a partial list has reversals without end
%! rev(?Xs, ?Ys) is nondet.
rev([], []).
rev([X|Xs], Ys) :- rev(Xs, Zs), append(Zs, [X], Ys).
%%% difference-list: the first part is looked at
:- regtype tree/1.
tree(leaf).
tree(fork(L, R)) :- tree(L), tree(R).

:- pred sizes(T, Ls) : (tree(T), var(Ls)).
sizes(leaf, [1]).
sizes(fork(L, R), Ls) :-
    sizes(L, As),
    sizes(R, Bs),
    length(As, N),
    append(As, [N|Bs], Ls).
%%% difference-list: the list may be known
:- regtype tree/1.
tree(leaf).
tree(fork(L, R)) :- tree(L), tree(R).

:- pred leaves(T, Ls) : tree(T).
leaves(leaf, [1]).
leaves(fork(L, R), Ls) :-
    leaves(L, As),
    leaves(R, Bs),
    append(As, Bs, Ls).
%%% list-grown-at-its-end: the accumulator is tested for what is there
%! once_each(+Xs:list(int), +Acc:list(int), -Ys) is det.
once_each([], Ys, Ys).
once_each([X|Xs], Acc, Ys) :- memberchk(X, Acc), once_each(Xs, Acc, Ys).
once_each([X|Xs], Acc, Ys) :- \+ memberchk(X, Acc), append(Acc, [X], Acc1), once_each(Xs, Acc1, Ys).
%%% list-grown-at-its-end: the result may be known, so that a clause fails earlier
%! all(+Xss:list(list(int)), +Acc:list(int), ?Ys) is semidet.
all([], Ys, Ys).
all([Xs|Xss], Acc, Ys) :- append(Acc, Xs, Acc1), all(Xss, Acc1, Ys).
%%% list-grown-at-its-end: what is appended may be a partial list
%! all(+Xss:list, +Acc:list(int), -Ys) is nondet.
all([], Ys, Ys).
all([Xs|Xss], Acc, Ys) :- append(Acc, Xs, Acc1), all(Xss, Acc1, Ys).
%%% list-grown-at-its-end: it grows in front
%! all(+Xss:list(list(int)), +Acc:list(int), -Ys) is det.
all([], Ys, Ys).
all([Xs|Xss], Acc, Ys) :- append(Xs, Acc, Acc1), all(Xss, Acc1, Ys).
%%% list-grown-at-its-end: a cut between, and a second solution of what comes before
%! picks(+Xs:list(int), +Acc:list(int), -Ys) is nondet.
picks([], Ys, Ys).
picks([X|Xs], Acc, Ys) :- member(Y, Acc), append(Acc, [X-Y], Acc1), picks(Xs, Acc1, Ys).
%%% append-from-the-right: the first list may be partial
%! page(?A, +B:list(int), +C:list(int), ?P) is nondet.
page(A, B, C, P) :- append(A, B, AB), append(AB, C, P).
%%% append-from-the-right: what is joined first is used
%! page(+A:list(int), +B:list(int), +C:list(int), -P) is det.
page(A, B, C, AB-P) :- append(A, B, AB), append(AB, C, P).
%%% append-from-the-right: it is split, not joined
%! three(?A, ?B, ?C, +Xs:list(int)) is nondet.
three(A, B, C, Xs) :- append(AB, C, Xs), append(A, B, AB).
%%% join-all-at-once: the lists come in front
%! text(+Lines:list(list(int)), -Codes) is det.
text(Lines, Codes) :- foldl([L, S, M]>>append(L, S, M), Lines, [], Codes).
%%% join-all-at-once: an inner list may be partial
%! text(+Lines:list, -Codes) is nondet.
text(Lines, Codes) :- foldl([L, S, M]>>append(S, L, M), Lines, [], Codes).
%%% join-all-at-once: a list of lists that may be partial
%! text(?Lines, ?Codes) is nondet.
text(Lines, Codes) :- foldl([L, S, M]>>append(S, L, M), Lines, [], Codes).
%%% written-cells: the written list is open
%! put(?X, ?Xs, ?Ys) is nondet.
put(X, Xs, Ys) :- append([X|_], Xs, Ys).
%%% written-cells: a predicate of the program that is called so
%! put(+X:int, +Xs:list(int), -Ys) is det.
put(X, Xs, Ys) :- append([X], Xs, Ys).

append([], L, L).
append([H|T], L, [H,H|R]) :- append(T, L, R).
%%% written-cells: clauses may be added
:- dynamic append/3.

%! put(+X:int, +Xs:list(int), -Ys) is det.
put(X, Xs, Ys) :- append([X], Xs, Ys).

append([], L, L).
append([H|T], L, [H|R]) :- append(T, L, R).
