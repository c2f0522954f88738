%%% reverse-with-accumulator: by a copy of append/3, the list last
%! turned(-Ys:list, +Xs:list(int)) is det.
turned([], []).
turned(Ys, [X|Xs]) :- turned(Zs, Xs), conc(Zs, [X], Ys).

conc([], L, L).
conc([H|T], L, [H|R]) :- conc(T, L, R).
%%% reverse-with-accumulator: wrapped elements, and a constant handed on
:- pred tags(Xs, K, Ys) : (list(Xs, int), atm(K), var(Ys)).
tags([X|Xs], K, Ys) :-
    tags(Xs, K, Zs),
    append(Zs, [K-X], Ys).
tags([], _, []).
%%% reverse-with-accumulator: local to a module, called by what it exports
:- module(backwards, [backwards/2]).

%! backwards(+Xs:list(atom), -Ys) is det.
backwards(Xs, Ys) :- rev(Xs, Ys).

rev([], []).
rev([A|As], R) :- rev(As, R0), append(R0, [A], R).
%%% difference-list: leaves from left to right
:- regtype tree/1.
tree(leaf(_)).
tree(fork(L, R)) :- tree(L), tree(R).

:- pred leaves(T, Ls) : (tree(T), var(Ls)).
leaves(leaf(X), [X]).
leaves(fork(L, R), Ls) :-
    leaves(L, As),
    leaves(R, Bs),
    append(As, Bs, Ls).
%%% difference-list: quicksort
%! qsort(+Xs:list(int), -Ys) is det.
qsort([], []).
qsort([P|Xs], Sorted) :-
    split(Xs, P, Small, Large),
    qsort(Small, S),
    qsort(Large, L),
    append(S, [P|L], Sorted).

split([], _, [], []).
split([X|Xs], P, [X|S], L) :- X =< P, split(Xs, P, S, L).
split([X|Xs], P, S, [X|L]) :- X > P, split(Xs, P, S, L).
%%% difference-list: in reverse order, joined twice, the list first
:- regtype t/1.
t(nil).
t(t(L, _, R)) :- t(L), t(R).

:- pred down(Xs, T) : (var(Xs), t(T)).
down([], nil).
down(Xs, t(L, X, R)) :-
    down(Bs, R),
    down(As, L),
    append(Bs, [X], Front),
    append(Front, As, Xs).
%%% list-grown-at-its-end: with a test in between
%! evens(+Xs:list(int), +Acc:list(int), -Ys) is det.
evens([], Acc, Acc).
evens([X|Xs], Acc, Ys) :-
    Y is X*2,
    append(Acc, [Y], Acc1),
    evens(Xs, Acc1, Ys).
%%% list-grown-at-its-end: the result in front of the accumulator
%! copies(-Ys, +Xs:list(atom), +Acc:list) is det.
copies(Ys, [], Ys).
copies(Ys, [X|Xs], Acc) :-
    append(Acc, [X, x], More),
    copies(Ys, Xs, More).
%%% list-grown-at-its-end: lists are appended
%! all(+Xss:list(list(int)), +Acc:list(int), -Ys) is det.
all([], Ys, Ys).
all([Xs|Xss], Acc, Ys) :-
    append(Acc, Xs, Acc1),
    all(Xss, Acc1, Ys).
%%% list-grown-at-its-end: lists are appended, by a copy of append/3 and other names
%! joined(-R, +Ls:list(list(atom)), +Sofar:list(atom)) is det.
joined(R, [L|Ls], Sofar) :- conc(Sofar, L, More), joined(R, Ls, More).
joined(R, [], R).

conc([], L, L).
conc([H|T], L, [H|R]) :- conc(T, L, R).
%%% append-from-the-right: in a condition
%! page(+A:list(int), +B:list(int), +C:list(int), -P) is det.
page(A, B, C, P) :-
    (   append(A, B, AB), append(AB, C, P0)
    ->  P = P0
    ;   P = []
    ).
%%% append-from-the-right: by a copy, the last list written
%! closed(+Xs:list(int), +Ys:list(int), -Zs) is det.
closed(Xs, Ys, Zs) :- app(Xs, Ys, Open), app(Open, [end], Zs).

app([X|Xs], Ys, [X|Zs]) :- app(Xs, Ys, Zs).
app([], Ys, Ys).
%%% join-all-at-once: a fold with a lambda
%! text(+Lines:list(list(int)), -Codes) is det.
text(Lines, Codes) :-
    foldl([Line, Sofar, More]>>append(Sofar, Line, More), Lines, [], Codes).
%%% join-all-at-once: a fold with a predicate
%! text(+Lines:list(list(int)), -Codes) is det.
text(Lines, Codes) :- foldl(add, Lines, [], Codes), Codes \== [].

add(L, S, M) :- append(S, L, M).
%%% written-cells: one element in front
%! put(+X, +Xs:list, -Ys:list) is det.
put(X, Xs, Ys) :- append([X], Xs, Ys).
%%% written-cells: in a loop, by a copy, of a name that writes
%! bracketed(+Xs:list(int), -Ys) is det.
bracketed([], []).
bracketed([X|Xs], Ys) :-
    bracketed(Xs, Zs),
    conc([open, X], [close|Zs], Ys).

conc([], L, L).
conc([H|T], L, [H|R]) :- conc(T, L, R).
%%% reverse-with-accumulator: the end keeps its place
%! odd(+Xs:list(int), -Ys) is det.
odd([], [end]).
odd([X|Xs], Ys) :- odd(Xs, Zs), append(Zs, [X], Ys).
