%%% two-values-carried: the step goes back by one and three
%! f(+N:int, -L) is semidet.
f(0, 2).
f(1, 1).
f(N, L) :- 1 < N, A is N-1, B is N-3, f(A, X), f(B, Y), L is Y+X.
%%% two-values-carried: floats
%! f(+N:number, -L) is semidet.
f(0, 2).
f(1, 1).
f(N, L) :- 1 < N, A is N-1, B is N-2, f(A, X), f(B, Y), L is Y+X.
%%% power: no guard, so it looks for a second solution without end
%! power(+X:int, +N:int, -P) is nondet.
power(_, 0, 1).
power(X, N, P) :- M is N-1, power(X, M, Q), P is X*Q.
%%% power: floats are rounded otherwise
%! power(+X:number, +N:int, -P) is semidet.
power(_, 0, 1).
power(X, N, P) :- N > 0, M is N-1, power(X, M, Q), P is X*Q.
%%% compute-once: both tests hold for equal numbers
%! least(+Xs:list(int), -M:int) is nondet.
least([X], X).
least([X|Xs], M) :- least(Xs, M), M =< X.
least([X|Xs], X) :- least(Xs, M), M >= X.
%%% compute-once: neither test holds for some numbers
%! least(+Xs:list(int), -M:int) is semidet.
least([X], X).
least([X|Xs], M) :- least(Xs, M), M < X.
least([X|Xs], X) :- least(Xs, M), M > X.
%%% decide-once: floats may be no numbers
%! small(+Xs:list(number), +K:number, -Ys) is semidet.
small([], _, []).
small([X|Xs], K, [X|Ys]) :- X =< K, small(Xs, K, Ys).
small([X|Xs], K, Ys) :- X > K, small(Xs, K, Ys).
%%% decide-once: both tests hold for equal numbers
%! small(+Xs:list(int), +K:int, -Ys) is nondet.
small([], _, []).
small([X|Xs], K, [X|Ys]) :- X =< K, small(Xs, K, Ys).
small([X|Xs], K, Ys) :- X >= K, small(Xs, K, Ys).
%%% decide-once: the result is known, and chooses the clause
%! small(+Xs:list(int), +K:int, ?Ys) is semidet.
small([], _, []).
small([X|Xs], K, [X|Ys]) :- X =< K, small(Xs, K, Ys).
small([X|Xs], K, Ys) :- X > K, small(Xs, K, Ys).
%%% decide-once: arguments that may be no numbers
%! greater(+X, +Y, -Z) is semidet.
greater(X, Y, X) :- X >= Y.
greater(X, Y, Y) :- X < Y.
%%% accumulate: floats are rounded otherwise
%! sum(+Xs:list(number), -S) is det.
sum([], 0).
sum([X|Xs], S) :- sum(Xs, S0), S is S0+X.
%%% accumulate: a difference is not associative
%! alt(+Xs:list(int), -S:int) is det.
alt([], 0).
alt([X|Xs], S) :- alt(Xs, S0), S is X-S0.
%%% accumulate: the result may be known
%! sum(+Xs:list(int), ?S) is semidet.
sum([], 0).
sum([X|Xs], S) :- sum(Xs, S0), S is S0+X.
%%% accumulate: a partial list
%! len(?Xs, ?N) is nondet.
len([], 0).
len([_|Xs], N) :- len(Xs, M), N is M+1.
%%% accumulate: the value of the rest decides
%! cap(+Xs:list(int), -S:int) is semidet.
cap([], 0).
cap([X|Xs], S) :- cap(Xs, S0), S0 < 100, S is S0+X.
%%% accumulate: of two elements that are no numbers another one is named
%! total(+Xs:list, -S) is det.
total([], 0).
total([X|Xs], S) :- total(Xs, S0), S is S0+X.
%%% computed-before-the-loop: the list changes
%! ranks(+Xs:list(int), +Ds:list(int), -Ys) is det.
ranks([], _, []).
ranks([X|Xs], Ds, [Y|Ys]) :- length(Ds, N), Y is X+N, ranks(Xs, [X|Ds], Ys).
%%% computed-before-the-loop: it fails where there is no element
%! ranks(+Xs:list(int), +Ds:list(int), -Ys) is semidet.
ranks([], _, []).
ranks([X|Xs], Ds, [Y|Ys]) :- max_list(Ds, N), Y is X+N, ranks(Xs, Ds, Ys).
%%% computed-before-the-loop: it may raise an exception that an empty list does not
%! ranks(+Xs:list(int), +Ds:list, -Ys) is det.
ranks([], _, []).
ranks([X|Xs], Ds, [Y|Ys]) :- sum_list(Ds, N), Y is X+N, ranks(Xs, Ds, Ys).
%%% same-goal-twice: a second solution may follow
%! pair(+Xs:list(int), -P) is nondet.
pair(Xs, X-Y) :- member(X, Xs), member(Y, Xs).
%%% same-goal-twice: another list
%! share(+Xs:list(int), +Ys:list(int), -P) is det.
share(Xs, Ys, N-M) :- length(Xs, N), length(Ys, M).
%%% same-goal-twice: the second length is given
%! share(+Xs:list(int), +M) is semidet.
share(Xs, M) :- length(Xs, N), N > 20, length(Xs, M).
%%% computed-instead-of-searched: two solutions
%! root(+N:int, -X:int) is nondet.
root(N, X) :- between(-9, N, X), X*X =:= 4.
%%% computed-instead-of-searched: an exception that an empty range does not raise
%! part(+A:int, +B:int, +N:int, -X:int) is semidet.
part(A, B, N, X) :- between(1, N, X), X =:= A // B.
%%% computed-instead-of-searched: a value that is no integer
%! half(+A:int, +N:int, -X:int) is semidet.
half(A, N, X) :- between(1, N, X), X =:= A / 2.
%%% computed-instead-of-searched: what is searched may be known
%! third(+A:int, +B:int, +N:int, ?C) is semidet.
third(A, B, N, C) :- between(1, N, C), C =:= A+B.
%%% accumulate: a caller passes floats
:- module(m2, [sum/2, main/1]).
%! sum(+Xs:list(int), -S:int) is det.
sum([], 0).
sum([X|Xs], S) :- sum(Xs, S0), S is S0 + X.
main(S) :- sum([0.1,0.2,0.3], S).
%%% two-values-carried: the next value has the number
%! f(+N:int, -L) is semidet.
f(0, 2).
f(1, 1).
f(N, L) :- 1 < N, A is N-1, B is N-2, f(A, X), f(B, Y), L is Y+N*X.
%%% two-values-carried: a factor that may be no number
%! f(+K, +N:int, -L) is semidet.
f(_, 0, 2).
f(_, 1, 1).
f(K, N, L) :- 1 < N, A is N-1, B is N-2, f(K, A, X), f(K, B, Y), L is Y+K*X.
%%% two-values-carried: cuts in the place of tests, and negative numbers run for ever
%! f(+N:int, -L) is det.
f(0, 2) :- !.
f(1, 1) :- !.
f(N, L) :- A is N-1, B is N-2, f(A, X), f(B, Y), L is Y+X.
%%% two-values-carried: a clause of the file passes a negative number
:- module(m1, [g/1]).
%! f(+N:nat, -L) is det.
f(0, 2) :- !.
f(1, 1) :- !.
f(N, L) :- A is N-1, B is N-2, f(A, X), f(B, Y), L is Y+X.
g(L) :- catch(call_with_depth_limit(f(-1, L), 1000, _), _, L = none).
%%% two-values-carried: a cut behind a value that is compared
%! f(+N:nat, ?L) is semidet.
f(0, 2) :- !.
f(1, 1) :- !.
f(N, L) :- A is N-1, B is N-2, f(A, X), f(B, Y), L is Y+X.
%%% two-values-carried: nat/1 is another type here
:- regtype nat/1.
nat(X) :- integer(X).
%! f(+N:nat, -L) is det.
f(0, 2) :- !.
f(1, 1) :- !.
f(N, L) :- A is N-1, B is N-2, f(A, X), f(B, Y), L is Y+X.
%%% two-values-carried: what is handed on is looked at
%! f(+K:atom, +N:int, -L) is semidet.
f(_, 0, 2).
f(_, 1, 1).
f(K, N, L) :- 1 < N, K == slow, A is N-1, B is N-2, f(K, A, X), f(K, B, Y), L is Y+X.
%%% power: a cut in the place of the test, and a negative exponent runs for ever
%! power(+X:int, +N:int, -P) is det.
power(_, 0, 1) :- !.
power(X, N, P) :- succ(M, N), power(X, M, Q), P is X*Q.
%%% accumulate: the least of numbers of two kinds
%! lowest(+Ns:list(number), -L) is semidet.
lowest([N], N).
lowest([N|Ns], L) :- lowest(Ns, K), L is min(N, K).
%%% accumulate: an element may be unbound
%! lowest(+Ns:list, -L) is semidet.
lowest([N], N).
lowest([N|Ns], L) :- lowest(Ns, K), L is min(N, K).
%%% accumulate: plus/3 finds the number that is missing
%! less(+Xs:list(int), -S:int) is det.
less([], 0).
less([X|Xs], S) :- less(Xs, T), plus(X, S, T).
%%% accumulate: a list without end is no empty one
%! total(+Xs, -S) is nondet.
total(Xs, S) :- ( Xs = [X|Ys] -> total(Ys, T), S is T+X ; S = 0 ).
%%% computed-instead-of-searched: two numbers have the same distance
%! near(+A:int, +N:int, -X:int) is nondet.
near(A, N, X) :- between(-9, N, X), abs(X - 1) =:= A.
%%% computed-instead-of-searched: no integer may be half of it
%! half(+A:int, +B:int, +N:int, -X:int) is semidet.
half(A, B, N, X) :- between(1, N, X), A - X =:= B + X.
