%%% says: the end of a recursion before the clause that tests
%! down(+N:nat) is det.
down(0).
down(N) :- N > 0, M is N-1, down(M).
%%% hint
% 2: `down/1` has one solution, but this clause leaves a choice point behind: no argument that is bound tells the clause in line 3 apart. Behind the clauses that test, it leaves none.
%%% says: tests behind heads that are alike
%! small(+Xs:list(int), +K:int, -Ys) is det.
small([], _, []).
small([X|Xs], K, [X|Ys]) :- X =< K, small(Xs, K, Ys).
small([X|Xs], K, Ys) :- X > K, small(Xs, K, Ys).
%%% hint
% 3: `small/3` has one solution, but this clause leaves a choice point behind: no argument that is bound tells the clause in line 4 apart. A cut behind its tests, or one clause with `( Test -> … ; … )`, leaves none.
%%% says: without a declaration, and with names that are quoted
'the larger'(X, Y, X) :- X >= Y.
'the larger'(X, Y, Y) :- X < Y.
%%% hint
% 1: `'the larger'/3` has one solution, but this clause leaves a choice point behind: no argument that is bound tells the clause in line 2 apart. A cut behind its tests, or one clause with `( Test -> … ; … )`, leaves none.
%%% says: a list of one element is one of more, too
%! top(+Xs:list(int), -M:int) is semidet.
top([X], X).
top([X|Xs], M) :- Xs = [_|_], top(Xs, N), M is max(X, N).
%%% hint
% 2: `top/2` has one solution at the most, but this clause leaves a choice point behind: no argument that is bound tells the clause in line 3 apart. A cut behind its tests, or one clause with `( Test -> … ; … )`, leaves none.
%%% says: GNU Prolog looks at the first argument alone
:- initialization(main).
main :- g_assign(x, 1), walk(0, [1,2]).
%! walk(+K:int, +Xs:list(int)) is det.
walk(_, []).
walk(K, [X|Xs]) :- M is K+X, walk(M, Xs).
%%% hint
% 4: `walk/2` has one solution, but this clause leaves a choice point behind: an index of first arguments does not tell the clause in line 5 apart. A cut behind its tests, or one clause with `( Test -> … ; … )`, leaves none.
%%% silent: SWI-Prolog finds the argument that tells
:- use_module(library(lists)).
%! walk(+K:int, +Xs:list(int)) is det.
walk(_, []).
walk(K, [X|Xs]) :- M is K+X, walk(M, Xs).
%%% silent: a cut
%! down(+N:nat) is det.
down(0) :- !.
down(N) :- M is N-1, down(M).
%%% silent: behind the clause that tests
%! down(+N:nat) is det.
down(N) :- N > 0, M is N-1, down(M).
down(0).
%%% silent: there are more solutions
%! member_of(-X, +Xs:list(int)) is nondet.
member_of(X, [X|_]).
member_of(X, [_|Xs]) :- member_of(X, Xs).
%%% silent: the index tells what is inside of an argument
%! size(+T, -N:int) is semidet.
size(s(a), 1).
size(s(b), 2).
%%% silent: the test of the first clause leaves nothing for the second
%! sign(+X:int, -S:atom) is det.
sign(X, pos) :- X > 0.
sign(0, zero).
%%% silent: a condition decides
%! down(+N:nat) is det.
down(N) :- ( N =:= 0 -> true ; M is N-1, down(M) ).
%%% silent: the test of what never succeeds
%! pos(+X:int, -S) is det.
pos(X, _) :- X < 0, type_error(nonneg, X).
pos(X, S) :- X >= 0, S = X.
%%% silent: and of what raises
%! pos(+X:int, -S) is det.
pos(X, _) :- X < 0, throw(negative(X)).
pos(X, S) :- X >= 0, S = X.
%%% silent: the unification is done with the head
%! kind(+X:atom, -N:int) is semidet.
kind(X, N) :- X = a, N = 1.
kind(X, N) :- X = b, N = 2.
%%% silent: the terminals are in the head
%! letter(+Xs:list(atom), -Rest) is semidet.
letter --> [x].
letter --> [y].
%%% silent: no atom matches the later heads
%! entry(+Spec:atom, +How:atom, -Function) is semidet.
entry(_, F, F) :- F \= default(_), !.
entry(S, default(B), F) :- atom_concat(B, S, F).
entry(_, default(F), F).
%%% silent: what is bound is no variable
%! scaled(+X:int, -Y) is semidet.
scaled(X, Y) :- var(X), Y = x.
scaled(X, Y) :- nonvar(X), Y is 2*X.
