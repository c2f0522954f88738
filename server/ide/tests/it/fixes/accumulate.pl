%%% applies: a count in the first argument, with a clause that hands it on
%! count(-N:int, +Xs:list(atom), +A:atom) is det.
count(0, [], _).
count(N, [X|Xs], A) :- X == A, count(M, Xs, A), N is 1+M.
count(N, [X|Xs], A) :- X \== A, count(N, Xs, A).
%%% to
%! count(-N:int, +Xs:list(atom), +A:atom) is det.
count(N, Xs, A) :- count(0, N, Xs, A).

count(Acc, Acc, [], _).
count(Acc, N, [X|Xs], A) :- X == A, Acc1 is 1+Acc, count(Acc1, N, Xs, A).
count(Acc, N, [X|Xs], A) :- X \== A, count(Acc, N, Xs, A).
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
