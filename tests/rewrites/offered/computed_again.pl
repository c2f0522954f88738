%%% two-values-carried: other first values, the guard the other way round
%! lucas(+N:int, -L) is semidet.
lucas(0, 2).
lucas(1, 1).
lucas(N, L) :- 1 < N, A is N-1, B is N-2, lucas(A, X), lucas(B, Y), L is Y+X.
%%% power: arguments in another order
%! power(+N:int, +X:int, -P) is semidet.
power(N, X, P) :- N >= 1, M is N-1, power(M, X, Q), P is X*Q.
power(0, _, 1).
%%% compute-once: the least of a list
%! least(+Xs:list(int), -M:int) is semidet.
least([X], X).
least([X|Xs], M) :- least(Xs, M), M < X.
least([X|Xs], X) :- least(Xs, M), M >= X.
%%% decide-once: a filter
%! small(+Xs:list(int), +K:int, -Ys) is det.
small([], _, []).
small([X|Xs], K, [X|Ys]) :- X =< K, small(Xs, K, Ys).
small([X|Xs], K, Ys) :- X > K, small(Xs, K, Ys).
%%% decide-once: no recursion, turned tests
%! greater(+X:int, +Y:int, -Z) is det.
greater(X, Y, X) :- X >= Y.
greater(A, B, B) :- B > A.
%%% decide-once: a count, with other variables
%! count(+Xs:list(int), +K:int, -N:int) is det.
count([], _, 0).
count([X|Xs], K, N) :- X =:= K, count(Xs, K, M), N is M+1.
count([Y|Ys], K, N) :- Y =\= K, count(Ys, K, N).
%%% accumulate: a length
%! len(+Xs:list, -N:int) is det.
len([], 0).
len([_|Xs], N) :- len(Xs, M), N is M+1.
%%% accumulate: a sum, the result first
%! sum(-S:int, +Xs:list(int)) is det.
sum(S, [X|Xs]) :- sum(S0, Xs), S is X+S0.
sum(0, []).
%%% accumulate: a sum of products, a constant handed on
%! weight(+Xs:list(int), +K:int, -S:int) is det.
weight([], _, 0).
weight([X|Xs], K, S) :-
    weight(Xs, K, S0),
    S is S0+K*X.
%%% accumulate: from a number down
%! triangle(+N:nat, -S:int) is det.
triangle(0, 0).
triangle(N, S) :- N > 0, M is N-1, triangle(M, T), S is T+N.
%%% computed-before-the-loop: a length
%! ranks(+Xs:list(int), +Ds:list(atom), -Ys) is det.
ranks([], _, []).
ranks([X|Xs], Ds, [Y|Ys]) :-
    length(Ds, N),
    Y is X mod (N+1),
    ranks(Xs, Ds, Ys).
%%% not yet computed-before-the-loop: a sum, in one of two clauses, where the first round may fail: a step more then
%! above(+Xs:list(int), +Ys:list(int), -Zs) is det.
above([], _, []).
above([X|Xs], Ys, [X-S|Zs]) :-
    X > 7,
    sum_list(Ys, S),
    above(Xs, Ys, Zs).
above([X|Xs], Ys, Zs) :-
    X =< 7,
    sum_list(Ys, S),
    S >= 0,
    above(Xs, Ys, Zs).
%%% same-goal-twice: a length
%! share(+Xs:list(int), -P) is det.
share(Xs, P) :-
    length(Xs, N),
    A is N//2,
    length(Xs, M),
    P = A-M.
%%% same-goal-twice: a predicate of the program
%! spread(+Xs:list(int), -D:int) is semidet.
spread(Xs, D) :- least(Xs, A), B is A+7, least(Xs, C), D is B-C.

least([X], X).
least([X,Y|Xs], M) :- least([Y|Xs], N), M is min(X, N).
%%% computed-instead-of-searched: a sum
%! third(+A:int, +B:int, +N:int, -C:int) is semidet.
third(A, B, N, C) :-
    between(1, N, C),
    C =:= A+B.
%%% computed-instead-of-searched: in a condition, turned
%! fits(+A:int, +N:int) is semidet.
fits(A, N) :- ( between(0, N, X), 2*A-1 =:= X -> true ; A > 100 ).
%%% decide-once: comments between the clauses and behind them
%! split(+Xs:list(int), +K:int, -Ys, -Zs) is det.
split([], _, [], []).                                        % nothing left
split([X|Xs], K, [X|Ys], Zs) :- X =< K, split(Xs, K, Ys, Zs). % small
% large
split([X|Xs], K, Ys, [X|Zs]) :- X > K, split(Xs, K, Ys, Zs). % large, too
%%% accumulate: of a module that takes closures and says so
:- module(h1, [go/2, each/2]).
:- meta_predicate each(1, ?).
%! go(+Xs:list(int), -S:int) is det.
go(Xs, S) :- help(Xs, S).
each(_, []).
each(P, [X|Xs]) :- call(P, X), each(P, Xs).
help([], 0).
help([X|Xs], S) :- help(Xs, S0), S is S0 + X.
%%% accumulate: the helper stays, since a clause of another module calls it
:- module(h1, [go/2]).
%! go(+Xs:list(int), -S:int) is det.
go(Xs, S) :- help(Xs, S).
user:total_hook(L, S) :- help(L, S).
help([], 0).
help([X|Xs], S) :- help(Xs, S0), S is S0 + X.
%%% accumulate: the helper stays, since a goal is made of data
:- module(h1, [go/2, run/3]).
%! go(+Xs:list(int), -S:int) is det.
go(Xs, S) :- help(Xs, S).
run(F, A, B) :- G =.. [F, A, B], call(G).
help([], 0).
help([X|Xs], S) :- help(Xs, S0), S is S0 + X.
%%% accumulate: the helper stays, since a name is made of parts
:- module(h1, [go/2, run/2]).
%! go(+Xs:list(int), -S:int) is det.
go(Xs, S) :- help(Xs, S).
run(K, S) :- atom_concat(he, K, P), read(Xs), call(P, Xs, S).
help([], 0).
help([X|Xs], S) :- help(Xs, S0), S is S0 + X.
%%% two-values-carried: tilings, whose next value has a factor and two kinds of steps
%! tilings(+N:int, -T:int) is semidet.
tilings(0, 1).
tilings(1, 3).
tilings(N, T) :- N >= 2, A is N-1, tilings(A, X), B is A-1, tilings(B, Y), T is 4*X - Y.
%%% two-values-carried: a cut, numbers that are not negative, a name that is handed on
%! pairs(+Farm:atom, +Month:nonneg, -Pairs:int) is det.
pairs(_, 0, 1) :- !.
pairs(_, 1, 1) :- !.
pairs(Farm, Month, Pairs) :-
    plus(Last, 1, Month),
    Before is Last-1,
    pairs(Farm, Last, Old),
    pairs(Farm, Before, Young),
    plus(Young, Old, Pairs).
%%% two-values-carried: one clause for both of the first numbers, with a cut
%! half(+N:int, -H:int) is det.
half(N, 5) :- N =< 1, !.
half(N, H) :- plus(A, 1, N), plus(B, 2, N), half(A, X), half(B, Y), H is X - (Y - 2)*3.
%%% not yet power: a cut in the place of the test, succ/2, which raises an exception for the negative numbers that both versions are tried with
%! raised(+X:int, +N:nat, -P:int) is det.
raised(_, 0, 1) :- !.
raised(X, N, P) :- succ(M, N), raised(X, M, Q), P is Q*X.
%%% accumulate: the least of some numbers
%! lowest(+Ns:list(int), -L:int) is semidet.
lowest([N|Ns], L) :- lowest(Ns, K), L is min(N, K).
lowest([N], N).
%%% accumulate: plus/3
%! weighed(+Xs:list(int), -S:int) is det.
weighed([], 0).
weighed([X|Xs], S) :- Y is 3*X, weighed(Xs, T), plus(T, Y, S).
%%% accumulate: is there an element?
%! squares(-S:int, +Xs:list(int)) is det.
squares(S, Xs) :-
    (   Xs \== []
    ->  Xs = [X|Ys],
        squares(T, Ys),
        S is T + X*X
    ;   S = 0
    ).
%%% computed-instead-of-searched: the rest of a sum
%! rest(+Total:int, +Paid:int, +Most:int, -Rest:int) is semidet.
rest(Total, Paid, Most, Rest) :-
    between(0, Most, Rest),
    Paid + Rest =:= Total.
