%%% applies: a term is built
%! placed(+X:int, +Y:int, -P) is det.
placed(X, Y, P) :- P =.. [point, X, Y].
%%% to
%! placed(+X:int, +Y:int, -P) is det.
placed(X, Y, P) :- P = point(X, Y).
%%% applies: a term is taken apart, in a condition
%! kind(+T:ground, -K) is det.
kind(T, K) :- ( T =.. [f, _, X] -> K = X ; K = none ).
%%% to
%! kind(+T:ground, -K) is det.
kind(T, K) :- ( T = f(_, X) -> K = X ; K = none ).
%%% applies: nothing is known of the calls, and the arguments are terms
row(Id, Xs, T) :- T =.. [row, Id, 'a b', f(Xs), [_|Xs]].
%%% to
row(Id, Xs, T) :- T = row(Id, 'a b', f(Xs), [_|Xs]).
%%% forbidden: the name is not known
%! named(+N:atom, +X:int, -T) is det.
named(N, X, T) :- T =.. [N, X].
%%% forbidden: the number of arguments is not known
%! made(+Xs:list(int), -T) is det.
made(Xs, T) :- T =.. [f|Xs].
%%% forbidden: an operator would be harder to read
%! sum(+X:int, +Y:int, -T) is det.
sum(X, Y, T) :- T =.. [+, X, Y].
%%% forbidden: no argument, so the term is an atom or another atomic term
%! atomic_one(-T) is det.
atomic_one(T) :- T =.. [f].
%%% forbidden: a file defines its own predicate of this name
:- use_module(library(parts_of_our_own)).
:- redefine_system_predicate(_ =.. _).
A =.. [A].

%! placed(+X:int, +Y:int, -P) is det.
placed(X, Y, P) :- P =.. [point, X, Y].
