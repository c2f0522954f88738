%%% says: naive reverse, without a declaration
turn([], []).
turn([X|Xs], Ys) :- turn(Xs, Zs), append(Zs, [X], Ys).
%%% hint
% 2: `append(Zs, [X], Ys)` takes n²/2 + n/2 of the n²/2 + 3n/2 + 1 steps of `turn/2`, 83% at n = 10, 98% at n = 100, 100% in the limit (n = length(argument 1))
%%% says: one of two calls that grow
%! report(+Xs:list(int), -N:int) is det.
report(Xs, N) :- squares(Xs, Ys), total(Ys, 0, N).

%! squares(+Xs:list(int), -Ys:list(int)) is det.
squares([], []).
squares([X|Xs], Ys) :- squares(Xs, Zs), append(Zs, [X], Ys).

%! total(+Xs:list(int), +Acc:int, -N:int) is det.
total([], N, N).
total([X|Xs], M, N) :- K is M+X, total(Xs, K, N).
%%% hint
% 2: `squares(Xs, Ys)` takes n²/2 + 3n/2 + 1 of the n²/2 + 5n/2 + 3 steps of `report/2`, 85% at n = 10, 98% at n = 100, 100% in the limit (n = length(Xs))
% 6: `append(Zs, [X], Ys)` takes n²/2 + n/2 of the n²/2 + 3n/2 + 1 steps of `squares/2`, 83% at n = 10, 98% at n = 100, 100% in the limit (n = length(Xs))
%%% says: a loop over a second list, an extra argument, a condition
%! known(+Xs:list(atom), +Ys:list(atom), +K:int, -Zs) is det.
known([], _, _, []).
known([X|Xs], Ys, K, Zs) :-
    (   find(X, Ys)
    ->  Zs = [X|Rest]
    ;   Zs = Rest
    ),
    known(Xs, Ys, K, Rest).

%! find(+X:atom, +Ys:list(atom)) is semidet.
find(X, [Y|Ys]) :- ( X == Y -> true ; find(X, Ys) ).
%%% hint
% 4: `find(X, Ys)` takes up to n·m of the at most n·m + n + 1 steps of `known/4`, by these bounds 90% at n = m = 10, 99% at n = m = 100, except for n ≥ 1, m = 0 (n = length(Xs), m = length(Ys))
%%% silent: linear, however it is divided
%! both(+Xs:list, -N:int) is det.
both(Xs, N) :- len(Xs, 0, A), len(Xs, A, N).

%! len(+Xs:list, +Acc:int, -N:int) is det.
len([], N, N).
len([_|Xs], M, N) :- K is M+1, len(Xs, K, N).
%%% silent: what calls one other predicate is as dear as that
%! turned(+Xs:list, -Ys) is det.
turned(Xs, Ys) :- turn(Xs, [], Ys, Xs).

%! turn(+Xs:list, +Acc:list, -Ys, +All:list) is det.
turn([], Ys, Ys, _).
turn([X|Xs], Acc, Ys, All) :- turn(Xs, [X|Acc], Ys, All).
%%% silent: the recursion itself is what is dear
%! pairs(+N:nat, +M:nat) is det.
pairs(0, 0).
pairs(N, 0) :- N > 0, K is N-1, pairs(K, K).
pairs(N, M) :- M > 0, K is M-1, pairs(N, K).
%%% silent: no bound is known
%! walk(+G, -Ys) is nondet.
walk(G, [X|Ys]) :- call(G, X), append(X, Z, Ys), walk(Z, Ys).
