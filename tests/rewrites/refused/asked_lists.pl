%%% match-instead-of-length: an unbound list gets a length
%! some(?Xs) is nondet.
some(Xs) :- length(Xs, N), N > 0.
%%% match-instead-of-length: what is no list is an error
%! some(+Xs:ground) is semidet.
some(Xs) :- length(Xs, N), N > 0.
%%% match-instead-of-length: the length is given
%! some(+Xs:list(int), +N) is semidet.
some(Xs, N) :- length(Xs, N), N > 0.
%%% match-instead-of-length: a float is no length
%! some(+Xs:list(int)) is semidet.
some(Xs) :- length(Xs, N), N == 2.0.
%%% last-element: the front is used
%! newest(+Vs:list(int), -V, -Front) is semidet.
newest(Vs, V, Front) :- append(Front, [V], Vs).
%%% last-element: the reversal is used
%! newest(+Vs:list(int), -V, -Back) is semidet.
newest(Vs, V, Back) :- reverse(Vs, Back), Back = [V|_].
%%% last-element: a partial list has last elements without end
%! newest(?Vs, ?V) is nondet.
newest(Vs, V) :- append(_, [V], Vs).
%%% last-element: the last two
%! newest(+Vs:list(int), -V, -W) is semidet.
newest(Vs, V, W) :- append(_, [V, W], Vs).
%%% member-once: later elements matter
%! next(+Xs:list(int), -X) is nondet.
next(Xs, X) :- member(X, Xs), X > 3, !.
%%% member-once: a soft cut keeps all solutions
%! next(+Xs:list(int), -X) is nondet.
next(Xs, X) :- ( member(Y, Xs) *-> X = Y ; X = 0 ).
%%% member-once: the condition goes on behind it
%! large(+Xs:list(int), -X) is det.
large(Xs, X) :- ( member(Y, Xs), Y > 9 -> X = Y ; X = 0 ).
%%% member-once: its last clause comes first
%! has(+Xs:list(int), -X) is semidet.
has(Xs, X) :- once(in(X, Xs)).

in(X, [_|Xs]) :- in(X, Xs).
in(X, [X|_]).
%%% any-solution: a later solution may raise an exception
%! state(+Xs:list(int), +K:int) is semidet.
state(Xs, K) :- findall(X, (member(X, Xs), 9 // (X - K) > 1), Ys), Ys \== [].
%%% any-solution: the solutions are used
%! state(+Xs:list(int), -Ys) is semidet.
state(Xs, Ys) :- findall(X, (member(X, Xs), X > 1), Ys), Ys \== [].
%%% any-solution: just one
%! state(+Xs:list(int)) is semidet.
state(Xs) :- findall(X, (member(X, Xs), X > 1), Ys), Ys = [_].
%%% elements-with-index: the first element is left out
%! at(+Xs:list(int), -X, -I) is nondet.
at(Xs, X, I) :- length(Xs, N), between(2, N, I), nth1(I, Xs, X).
%%% elements-with-index: an index too many
%! at(+Xs:list(int), -X, -I) is nondet.
at(Xs, X, I) :- length(Xs, N), between(1, N, I), nth0(I, Xs, X).
%%% elements-with-index: another list
%! at(+Xs:list(int), +Ys:list(int), -X, -I) is nondet.
at(Xs, Ys, X, I) :- length(Xs, N), between(1, N, I), nth1(I, Ys, X).
%%% elements-with-index: the index may be no integer
%! at(+Xs:list(int), -X, +I) is nondet.
at(Xs, X, I) :- length(Xs, N), between(1, N, I), nth1(I, Xs, X).
%%% member-of-both: the first list may be partial
%! any(?As, ?Bs, ?X) is nondet.
any(As, Bs, X) :- append(As, Bs, Cs), member(X, Cs).
%%% member-of-both: the joined list is given
%! any(+As:list(int), +Bs:list(int), +Cs:list(int), -X) is nondet.
any(As, Bs, Cs, X) :- append(As, Bs, Cs), member(X, Cs).
%%% member-of-both: the joined list is used
%! any(+As:list(int), +Bs:list(int), -X, -N) is nondet.
any(As, Bs, X, N) :- append(As, Bs, Cs), member(X, Cs), length(Cs, N).
%%% unused-rest: the rest is used
%! taken(+Xs:list(int), -X, -Ys) is nondet.
taken(Xs, X, Ys) :- select(X, Xs, Ys).
%%% unused-rest: the index is given
%! taken(+Xs:list(int), +I:int, -X) is semidet.
taken(Xs, I, X) :- nth1(I, Xs, X).
%%% unused-rest: a predicate of the program
%! taken(+Xs:list(int), -X) is nondet.
taken(Xs, X) :- select(X, Xs, _).

select(X, [X,X|Xs], Xs).
select(X, [Y|Xs], [Y|Ys]) :- select(X, Xs, Ys).
%%% walk-instead-of-index: it begins at the second element
%! total(+Xs:list(int), -S:int) is det.
total(Xs, S) :- length(Xs, N), total(2, N, Xs, 0, S).

total(I, N, _, S, S) :- I > N.
total(I, N, Xs, S0, S) :-
    I =< N, nth1(I, Xs, X), S1 is S0+X, J is I+1, total(J, N, Xs, S1, S).
%%% walk-instead-of-index: every other element
%! total(+Xs:list(int), -S:int) is semidet.
total(Xs, S) :- length(Xs, N), total(1, N, Xs, 0, S).

total(I, N, _, S, S) :- I > N.
total(I, N, Xs, S0, S) :-
    I =< N, nth1(I, Xs, X), S1 is S0+X, J is I+2, total(J, N, Xs, S1, S).
%%% walk-instead-of-index: the whole list is looked at
%! total(+Xs:list(int), -S:int) is det.
total(Xs, S) :- length(Xs, N), total(1, N, Xs, 0, S).

total(I, N, _, S, S) :- I > N.
total(I, N, Xs, S0, S) :-
    I =< N, nth1(I, Xs, X), last(Xs, Y), S1 is S0+X*Y, J is I+1, total(J, N, Xs, S1, S).
%%% walk-instead-of-index: an element is left out without being looked at
%! total(+Xs:list(int), -S:int) is det.
total(Xs, S) :- length(Xs, N), total(1, N, Xs, 0, S).

total(I, N, _, S, S) :- I > N.
total(I, N, Xs, S0, S) :-
    I =< N, I mod 2 =:= 0, J is I+1, total(J, N, Xs, S0, S).
total(I, N, Xs, S0, S) :-
    I =< N, I mod 2 =:= 1, nth1(I, Xs, X), S1 is S0+X, J is I+1, total(J, N, Xs, S1, S).
%%% aggregate-without-list: nothing is loaded by itself
:- set_prolog_flag(autoload, false).
:- use_module(library(lists), [sum_list/2, member/2]).
%! income(+Xs:list(int), -S:int) is det.
income(Xs, S) :- findall(X, (member(X, Xs), X > 0), L), sum_list(L, S).
%%% match-instead-of-length: a caller passes what may be unbound
:- module(m3, [g/1]).
%! f(+L:list, -S) is semidet.
f(L, yes) :- length(L, N), N > 0.
%! g(?L) is nondet.
g(L) :- f(L, _).
%%% any-solution: a solution behind the first may be an error
%! none(+Xs:list(atom)) is semidet.
none(Xs) :- findall(X, (member(X, Xs), X > 0), [_|_]).
%%% member-once: a file is loaded while the program runs
start(Path) :- consult(Path).

%! has(+X:int, +Xs:list(int), -R) is det.
has(X, Xs, R) :- ( member(X, Xs) -> R = in ; R = out ).
%%% last-element: which file is loaded is not to be seen
:- atom_concat(our, lists, F), use_module(F).

%! newest(+Vs:list(int), -V) is semidet.
newest(Vs, V) :- reverse(Vs, [V|_]).
%%% needless-copy: a directive gives member/2 clauses
:- assertz((member(X, [_,X|_]))).

%! copied(+Xs:list(int), -Ys) is det.
copied(Xs, Ys) :- findall(X, member(X, Xs), Ys).
