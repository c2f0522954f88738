%%% sort-once: duplicates stay
%! ordered(+Xs:list(int), -Ys) is det.
ordered(Xs, Ys) :- msort(Xs, Zs), predsort(compare, Zs, Ys0), msort(Ys0, Ys1), append(Ys1, Zs, Ys).
%%% sort-once: what is no list is an error of another goal
%! ordered(?Xs, -Ys) is det.
ordered(Xs, Ys) :- list_to_set(Xs, Zs), sort(Zs, Ys).
%%% sort-once: another order
%! ordered(+Xs:list(int), -Ys) is det.
ordered(Xs, Ys) :- sort(0, @>=, Xs, Zs), sort(0, @=<, Zs, Ys).
%%% sort-instead-of-permutation: duplicates give an answer several times
%! psort(+Xs:list(int), -Ys) is nondet.
psort(Xs, Ys) :- permutation(Xs, Ys), sorted(Ys).

sorted([]).
sorted([_]).
sorted([X,Y|Ys]) :- X =< Y, sorted([Y|Ys]).
%%% sort-instead-of-permutation: floats and integers that are equal
%! psort(+Xs:list(number), -Ys) is semidet.
psort(Xs, Ys) :- permutation(Xs, Ys), sorted(Ys), !.

sorted([]).
sorted([_]).
sorted([X,Y|Ys]) :- X =< Y, sorted([Y|Ys]).
%%% sort-instead-of-permutation: no equal neighbours, so it may fail
%! psort(+Xs:list(int), -Ys) is semidet.
psort(Xs, Ys) :- permutation(Xs, Ys), sorted(Ys), !.

sorted([]).
sorted([_]).
sorted([X,Y|Ys]) :- X < Y, sorted([Y|Ys]).
%%% sort-instead-of-permutation: the other way round
%! psort(+Xs:list(int), -Ys) is semidet.
psort(Xs, Ys) :- permutation(Xs, Ys), sorted(Ys), !.

sorted([]).
sorted([_]).
sorted([X,Y|Ys]) :- X >= Y, sorted([Y|Ys]).
%%% sort-instead-of-permutation: atoms are no numbers
%! psort(+Xs:list(atom), -Ys) is semidet.
psort(Xs, Ys) :- permutation(Xs, Ys), sorted(Ys), !.

sorted([]).
sorted([_]).
sorted([X,Y|Ys]) :- X =< Y, sorted([Y|Ys]).
%%% needless-copy: variables are renamed
%! kept(+Xs:list, -Ys) is det.
kept(Xs, Ys) :- findall(X, member(X, Xs), Ys).
%%% needless-copy: only some
%! kept(+Xs:list(int), -Ys) is det.
kept(Xs, Ys) :- findall(X, (member(X, Xs), X > 0), Ys).
%%% reversed-twice: the list may be partial
%! same(?Xs, ?Ys) is nondet.
same(Xs, Ys) :- reverse(Xs, Zs), reverse(Zs, Ys).
%%% reversed-twice: the reversal is used
%! same(+Xs:list(int), -Ys) is det.
same(Xs, Ys-Zs) :- reverse(Xs, Zs), reverse(Zs, Ys).
%%% reversed-twice: another list comes in
%! same(+Xs:list(int), +Ys:list(int), -Zs) is det.
same(Xs, Ys, Zs) :- reverse(Xs, As), append(As, Ys, Bs), reverse(Bs, Zs).
%%% aggregate-without-list: expressions are summed, or raise errors
%! total(+Xs:list, -S) is det.
total(Xs, S) :- findall(X, member(X, Xs), Ps), sum_list(Ps, S).
%%% aggregate-without-list: the list is used
%! total(+Xs:list(int), -S:int, -Ps) is det.
total(Xs, S, Ps) :- findall(X, (member(X, Xs), X > 0), Ps), sum_list(Ps, S).
%%% aggregate-without-list: the largest of integers and floats
%! top(+Xs:list(number), -M) is semidet.
top(Xs, M) :- findall(X, (member(X, Xs), X \== 0), Ys), max_list(Ys, M).
%%% aggregate-without-list: the standard order of atoms
%! least(+Xs:list(atom), -M) is semidet.
least(Xs, M) :- findall(X, (member(X, Xs), X \== a), Ps), sort(Ps, [M|_]).
%%% aggregate-without-list: the template is known before
%! top(+Xs:list(int), +X:int, -M) is semidet.
top(Xs, X, M) :- findall(X, (member(X, Xs), X > 0), Ys), max_list(Ys, M).
%%% numbers-without-list: the bounds may be no integers
%! number(+N, -X) is nondet.
number(N, X) :- numlist(1, N, Ns), member(X, Ns).
%%% numbers-without-list: what is looked for may be anything
%! number(+N:int, ?X) is nondet.
number(N, X) :- numlist(1, N, Ns), member(X, Ns).
%%% numbers-without-list: the list is used
%! number(+N:int, -X, -Ns) is nondet.
number(N, X, Ns) :- numlist(1, N, Ns), member(X, Ns).
%%% aggregate-without-list: the least of a sorted list, for which no comparisons are needed where the list is in order
%! least(+Xs:list(int), -M:int) is semidet.
least(Xs, M) :- findall(X, (member(X, Xs), X > 0), Ps), sort(Ps, [M|_]).
%%% decide-once: the result is a part of what is compared
%! keep(+Xs:list, +K, -Ys) is det.
keep([], _, []).
keep([X|Xs], K, [X|Ys]) :- X @=< K, keep(Xs, K, Ys).
keep([X|Xs], K, Ys) :- X @> K, keep(Xs, K, Ys).

both(S) :- keep([f(a)], f(S), S).
