%% Clauses that come and go; a goal sees the clauses that were there when it was called.
% ?- counter(3, N).
% ?- logical(L).
% ?- retract_all(L).
% ?- order(L).
% ?- memo_fib(20, F).
% ?- assertz((foo(X) :- X > 1, bar(X))), clause(foo(Y), B).
% ?- assertz(q(1)), assertz(q(2)), retract(q(X)).
% ?- retract(nothing(here)).
% ?- assertz(1).
% ?- assertz((foo :- 1)).
% ?- assertz(_).
% ?- assertz((atom(_) :- true)).
% ?- asserta(stack(1)), asserta(stack(2)), findall(X, stack(X), L), retractall(stack(_)), findall(X, stack(X), M).
% ?- clause(fact(X), B).
% ?- clause(_, B).
% ?- clause(atom(_), B).
% ?- unknown_thing(1).
% ?- call(fact, X).

:- dynamic count/1, item/1, fib/2, stack/1, gone/1.

count(0).
item(1). item(2). item(3).
fact(1).
fact(2).

counter(0, N) :- !, count(N).
counter(K, N) :- retract(count(C)), C1 is C+1, assertz(count(C1)), K1 is K-1, counter(K1, N).

logical(L) :- findall(X, ( item(X), Y is X*10, assertz(item(Y)) ), L).
retract_all(L) :- assertz(tmp(1)), assertz(tmp(2)), retract(tmp(1)), findall(X, tmp(X), L).
order(L) :- assertz(o(b)), asserta(o(a)), assertz(o(c)), findall(X, o(X), L).

memo_fib(N, F) :- fib(N, F), !.
memo_fib(N, F) :- N < 2, !, F = N.
memo_fib(N, F) :- A is N-1, B is N-2, memo_fib(A, X), memo_fib(B, Y), F is X+Y, asserta(fib(N, F)).
