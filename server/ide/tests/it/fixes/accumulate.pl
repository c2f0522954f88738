%%% applies: a count in the first argument, with a clause that hands it on
%! count(-N:int, +Xs:list(atom), +A:atom) is det.
count(0, [], _).
count(N, [X|Xs], A) :- X == A, count(M, Xs, A), N is 1+M.
count(N, [X|Xs], A) :- X \== A, count(N, Xs, A).
%%% to
%! count(-N:int, +Xs:list(atom), +A:atom) is det.
count(N, Xs, A) :- count(N, Xs, A, 0).

count(Acc, [], _, Acc).
count(N, [X|Xs], A, Acc) :- X == A, Acc1 is 1+Acc, count(N, Xs, A, Acc1).
count(N, [X|Xs], A, Acc) :- X \== A, count(N, Xs, A, Acc).
%%% applies: a sum of products, a comment
%! weight(+Xs:list(int), +K:int, -S:int) is det.
weight([], _, 0).
weight([X|Xs], K, S) :-
    Y is X*K, % weighed
    weight(Xs, K, S0),
    S is S0 - Y + 2*K.
%%% to
%! weight(+Xs:list(int), +K:int, -S:int) is det.
weight(Xs, K, S) :- weight(Xs, K, 0, S).

weight([], _, Acc, Acc).
weight([X|Xs], K, Acc, S) :-
    Y is X*K, % weighed
    Acc1 is Acc - Y + 2*K,
    weight(Xs, K, Acc1, S).
%%% applies: the greatest, from a number down
%! top(+N:nat, -M:int) is det.
top(0, 0).
top(N, M) :- N > 0, N1 is N-1, top(N1, M1), M is max(N, M1).
%%% to
%! top(+N:nat, -M:int) is det.
top(N, M) :- top(N, 0, M).

top(0, Acc, Acc).
top(N, Acc, M) :- N > 0, N1 is N-1, Acc1 is max(N, Acc), top(N1, Acc1, M).
%%% forbidden: floats are rounded otherwise
%! sum(+Xs:list(number), -S) is det.
sum([], 0).
sum([X|Xs], S) :- sum(Xs, S0), S is S0+X.
%%% forbidden: not associative
%! alt(+Xs:list(int), -S:int) is det.
alt([], 0).
alt([X|Xs], S) :- alt(Xs, S0), S is X-S0.
%%% forbidden: the result may be known
%! sum(+Xs:list(int), ?S) is semidet.
sum([], 0).
sum([X|Xs], S) :- sum(Xs, S0), S is S0+X.
%%% forbidden: a division may raise an exception that the call would not reach
%! sum(+Xs:list(int), +K:int, -S:int) is det.
sum([], _, 0).
sum([X|Xs], K, S) :- sum(Xs, K, S0), S is S0 + X//K.
%%% forbidden: what is added is made by the call
%! sum(+Xs:list(int), -S:int, -N:int) is det.
sum([], 0, 1).
sum([X|Xs], S, N) :- sum(Xs, S0, N0), S is S0+N0, N is N0+X.
%%% forbidden: sums and products
%! mixed(+Xs:list(int), -S:int) is det.
mixed([], 1).
mixed([X|Xs], S) :- X > 0, mixed(Xs, S0), S is S0+X.
mixed([X|Xs], S) :- X =< 0, mixed(Xs, S0), S is S0*X.
%%% forbidden: the ends differ
%! ends(+Xs:list(int), -S:int) is nondet.
ends([], 0).
ends([_], 7).
ends([X|Xs], S) :- ends(Xs, S0), S is S0+X.
%%% applies: one branch adds, the other one hands on
%! evens(+Xs:list(int), -N:int) is det.
evens([], 0).
evens([X|Xs], N) :-
    evens(Xs, M),
    (   X mod 2 =:= 0
    ->  N is M+1
    ;   N = M
    ).
%%% to
%! evens(+Xs:list(int), -N:int) is det.
evens(Xs, N) :- evens(Xs, 0, N).

evens([], Acc, Acc).
evens([X|Xs], Acc, N) :-
    (   X mod 2 =:= 0
    ->  Acc1 is Acc+1
    ;   Acc1 = Acc
    ),
    evens(Xs, Acc1, N).
%%% applies: a number is made behind the call
%! squares(+Xs:list(int), -S:int) is det.
squares([], 0).
squares([X|Xs], S) :- squares(Xs, T), Y is X*X, S is T+Y.
%%% to
%! squares(+Xs:list(int), -S:int) is det.
squares(Xs, S) :- squares(Xs, 0, S).

squares([], Acc, Acc).
squares([X|Xs], Acc, S) :- Y is X*X, Acc1 is Acc+Y, squares(Xs, Acc1, S).
%%% forbidden: the condition looks at the value
%! cap(+Xs:list(int), -N:int) is det.
cap([], 0).
cap([X|Xs], N) :- cap(Xs, M), ( M < 9 -> N is M+X ; N = M ).
%%% forbidden: a branch may fail
%! cap(+Xs:list(int), -N:int) is semidet.
cap([], 0).
cap([X|Xs], N) :- cap(Xs, M), ( X < 9 -> N is M+X ; X > 10, N = M ).
%%% forbidden: two branches that are both tried
%! cap(+Xs:list(int), -N:int) is nondet.
cap([], 0).
cap([X|Xs], N) :- cap(Xs, M), ( N is M+X ; N = M ).
