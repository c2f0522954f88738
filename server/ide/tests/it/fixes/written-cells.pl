%%% applies: the list is unbound, whatever else is bound
%! fronted(?X, ?Xs, -Ys) is nondet.
fronted(X, Xs, Ys) :- append([X], Xs, Ys).
%%% to
%! fronted(?X, ?Xs, -Ys) is nondet.
fronted(X, Xs, Ys) :- Ys = [X|Xs].
%%% applies: the elements have no variables, whatever else is bound
%! fronted(+X:int, ?Xs, ?Ys) is nondet.
fronted(X, Xs, Ys) :- append([X, f(X)], Xs, Ys).
%%% to
%! fronted(+X:int, ?Xs, ?Ys) is nondet.
fronted(X, Xs, Ys) :- Ys = [X, f(X)|Xs].
%%% forbidden: a goal may wait for an element
%! fronted(?X, ?Xs, ?Ys) is nondet.
fronted(X, Xs, Ys) :- append([X], Xs, Ys).
%%% forbidden: the same, since a caller passes a list
%! fronted(+X, +Xs:list(int), -Ys) is det.
fronted(X, Xs, Ys) :- append([X], Xs, Ys).

late :- freeze(X, throw(woken)), fronted(X, [2], [1, 3]).
%%% applies: several elements, an operator, a copy of append/3
%! wrapped(+Xs:list(int), -Ys) is det.
wrapped(Xs, f(Ys)) :-
    conc([0, 1 - 2, x:-y], Xs, Ys).

conc([], L, L).
conc([H|T], L, [H|R]) :- conc(T, L, R).
%%% to
%! wrapped(+Xs:list(int), -Ys) is det.
wrapped(Xs, f(Ys)) :-
    Ys = [0, 1 - 2, x:-y|Xs].

conc([], L, L).
conc([H|T], L, [H|R]) :- conc(T, L, R).
%%% applies: both lists are written
%! ends(+X:int, +Y:int, +Xs:list(int), -Ys) is det.
ends(X, Y, Xs, Ys) :- append([X, Y], [Y|Xs], Ys).
%%% to
%! ends(+X:int, +Y:int, +Xs:list(int), -Ys) is det.
ends(X, Y, Xs, Ys) :- Ys = [X, Y, Y|Xs].
%%% forbidden: the list is open
%! fronted(?X, ?Xs, ?Ys) is nondet.
fronted(X, Xs, Ys) :- append([X|_], Xs, Ys).
%%% forbidden: the list is a variable
%! fronted(+Xs:list(int), +Ys:list(int), -Zs) is det.
fronted(Xs, Ys, Zs) :- append(Xs, Ys, Zs).
%%% forbidden: it is another append/3
%! fronted(+X:int, +Xs:list(int), -Ys) is det.
fronted(X, Xs, Ys) :- append([X], Xs, Ys).

append([], L, L).
append([H|T], L, [H,H|R]) :- append(T, L, R).
%%% forbidden: clauses may be added
:- dynamic append/3.

%! fronted(+X:int, +Xs:list(int), -Ys) is det.
fronted(X, Xs, Ys) :- append([X], Xs, Ys).

append([], L, L).
append([H|T], L, [H|R]) :- append(T, L, R).
