%%% sort-once: a set of a sorted list
%! ordered(+Xs:list(int), -Ys) is det.
ordered(Xs, Ys) :- list_to_set(Xs, Set), msort(Set, Ys).
%%% sort-once: twice the same
%! ordered(+Xs:list(atom), -Ys) is det.
ordered(Xs, Ys) :-
    msort(Xs, Zs),
    msort(Zs, Ys).
%%% sort-instead-of-permutation: generate and test
%! psort(+Xs:list(int), -Ys) is semidet.
psort(Xs, Ys) :- permutation(Xs, Ys), sorted(Ys), !.

sorted([]).
sorted([_]).
sorted([X,Y|Ys]) :- X =< Y, sorted([Y|Ys]).
%%% sort-instead-of-permutation: in once/1, another test
%! psort(+Xs:list(int), -Ys) is semidet.
psort(Xs, Ys) :- once(( permutation(Xs, Ys), ascending(Ys) )).

ascending([X,Y|Zs]) :- Y >= X, ascending([Y|Zs]).
ascending([_]).
ascending([]).
%%% needless-copy: findall/3 of members
%! kept(+Xs:list(atom), -Ys) is det.
kept(Xs, Ys) :- findall(X, member(X, Xs), Zs), Ys = keep(Zs).
%%% needless-copy: nothing is appended
%! kept(+Xs:list, -Ys) is det.
kept(Xs, Ys) :- append(Xs, [], Ys).
%%% reversed-twice: and used as it was
%! same(+Xs:list(int), -Ys) is det.
same(Xs, Ys) :- reverse(Xs, Zs), reverse(Zs, Ys).
%%% reversed-twice: inside of a loop
%! all(+Xss:list(list(int)), -Yss) is det.
all([], []).
all([Xs|Xss], [Ys|Yss]) :-
    reverse(Xs, Back),
    reverse(Back, Ys),
    all(Xss, Yss).
%%% aggregate-without-list: a sum
%! total(+Xs:list(int), -S:int) is det.
total(Xs, S) :- findall(X, (member(X, Xs), X > 0), Ps), sum_list(Ps, S).
%%% aggregate-without-list: the largest
%! top(+Xs:list(int), -M:int) is semidet.
top(Xs, M) :-
    findall(Y, (member(X, Xs), Y is X*X), Squares),
    max_list(Squares, M).
%%% numbers-without-list: numlist/3 and member/2
%! number(+N:int, -X) is nondet.
number(N, X) :- numlist(1, N, Ns), member(X, Ns), X mod 3 =:= 0.
%%% numbers-without-list: in forall/2
%! square(+N:int, +M:int) is semidet.
square(N, M) :- numlist(N, M, Ns), forall(member(X, Ns), X*X > 2).
