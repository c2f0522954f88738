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
%%% applies: plus/3
%! total(+Xs:list(int), -S:int) is det.
total([], 0).
total([X|Xs], S) :- total(Xs, S0), plus(X, S0, S).
%%% to
%! total(+Xs:list(int), -S:int) is det.
total(Xs, S) :- total(Xs, 0, S).

total([], Acc, Acc).
total([X|Xs], Acc, S) :- Acc1 is X+Acc, total(Xs, Acc1, S).
%%% applies: plus/3 in a branch, of a number that is written
%! count(+Xs:list(int), -N:int) is det.
count([], 0).
count([X|Xs], N) :-
    count(Xs, M),
    (   X > 3
    ->  plus(M, 1, N)
    ;   N = M
    ).
%%% to
%! count(+Xs:list(int), -N:int) is det.
count(Xs, N) :- count(Xs, 0, N).

count([], Acc, Acc).
count([X|Xs], Acc, N) :-
    (   X > 3
    ->  Acc1 is Acc+1
    ;   Acc1 = Acc
    ),
    count(Xs, Acc1, N).
%%% forbidden: plus/3 of what may be a float
%! total(+Xs:list(number), -S) is det.
total([], 0).
total([X|Xs], S) :- total(Xs, S0), plus(X, S0, S).
%%% forbidden: plus/3 the other way round is a difference
%! alt(+Xs:list(int), -S:int) is det.
alt([], 0).
alt([X|Xs], S) :- alt(Xs, S0), plus(S0, S, X).
%%% applies: the greatest element
%! greatest(+Xs:list(int), -M:int) is semidet.
greatest([X], X) :- !.
greatest([X|Xs], M) :-
    greatest(Xs, M0),
    M is max(X, M0).
%%% to
%! greatest(+Xs:list(int), -M:int) is semidet.
greatest([X|Xs], M) :- greatest(Xs, X, M).

greatest([], Acc, Acc).
greatest([X|Xs], Acc, M) :-
    Acc1 is max(X, Acc),
    greatest(Xs, Acc1, M).
%%% applies: a product that begins with the first element, the result first, the list by two elements
%! product(-P:int, +Xs:list(int)) is semidet.
product(P, [X,Y|Ys]) :- product(Q, [Y|Ys]), P is Q*X.
product(X, [X]).
%%% to
%! product(-P:int, +Xs:list(int)) is semidet.
product(P, [X|Ys]) :- product(P, Ys, X).

product(P, [X|Ys], Acc) :- Acc1 is Acc*X, product(P, Ys, Acc1).
product(Acc, [], Acc).
%%% applies: a sum that begins with the first element
%! sum(+Xs:list(int), -S:int) is semidet.
sum([Only], Only).
sum([X|Xs], S) :- sum(Xs, T), plus(T, X, S).
%%% to
%! sum(+Xs:list(int), -S:int) is semidet.
sum([X|Xs], S) :- sum(Xs, X, S).

sum([], Acc, Acc).
sum([X|Xs], Acc, S) :- Acc1 is Acc+X, sum(Xs, Acc1, S).
%%% forbidden: the greatest of numbers, which may be equal and of two kinds
%! greatest(+Xs:list(number), -M:number) is semidet.
greatest([X], X) :- !.
greatest([X|Xs], M) :- greatest(Xs, M0), M is max(X, M0).
%%% forbidden: the result may be known, and the cut not reached
%! greatest(+Xs:list(int), ?M) is semidet.
greatest([X], X) :- !.
greatest([X|Xs], M) :- greatest(Xs, M0), M is max(X, M0).
%%% forbidden: a difference that ends with an element
%! alt(+Xs:list(int), -S:int) is semidet.
alt([X], X).
alt([X|Xs], S) :- alt(Xs, T), S is T-X.
%%% forbidden: all elements but the last one are doubled
%! twice(+Xs:list(int), -S:int) is semidet.
twice([X], X).
twice([X|Xs], S) :- twice(Xs, T), S is T+2*X.
%%% forbidden: the second element is left out
%! every(+Xs:list(int), -S:int) is semidet.
every([X], X).
every([X,_|Xs], S) :- every(Xs, T), S is T+X.
%%% forbidden: a partial list has more and more elements
%! greatest(?Xs, -M) is nondet.
greatest([X], X).
greatest([X|Xs], M) :- greatest(Xs, M0), M is max(X, M0).
%%% forbidden: each element twice
%! pairs(+Xs:list(int), -S:int) is semidet.
pairs([X], X).
pairs([X,Y|Xs], S) :- pairs([X|Xs], T), S is T+Y.
%%% applies: an if-then-else in the place of clauses
%! product(+Xs:list(int), -P:int) is det.
product(Xs, P) :-
    (   Xs = [X|Rest]
    ->  product(Rest, P0),
        P is X * P0
    ;   P = 1
    ).
%%% to
%! product(+Xs:list(int), -P:int) is det.
product(Xs, P) :- product(Xs, 1, P).

product([], Acc, Acc).
product([X|Rest], Acc, P) :-
    Acc1 is X * Acc,
    product(Rest, Acc1, P).
%%% applies: the empty list first, another argument, goals around the call
%! weight(+Xs:list(int), +K:int, -S:int) is det.
weight(Xs, K, S) :-
    (   Xs == []
    ->  S = 0
    ;   Xs = [X|Ys],
        Y is X*K,
        weight(Ys, K, S0),
        Z is Y+1,
        S is S0 + Z
    ).
%%% to
%! weight(+Xs:list(int), +K:int, -S:int) is det.
weight(Xs, K, S) :- weight(Xs, K, 0, S).

weight([], _, Acc, Acc).
weight([X|Ys], K, Acc, S) :-
    Y is X*K,
    Z is Y+1,
    Acc1 is Acc + Z,
    weight(Ys, K, Acc1, S).
%%% forbidden: an if-then-else of a list that may be partial
%! product(?Xs, -P:int) is nondet.
product(Xs, P) :- ( Xs = [X|Rest] -> product(Rest, P0), P is X * P0 ; P = 1 ).
%%% forbidden: the list is used beside
%! product(+Xs:list(int), -P:int) is det.
product(Xs, P) :- ( Xs = [X|Rest] -> length(Xs, _), product(Rest, P0), P is X * P0 ; P = 1 ).
%%% forbidden: the condition asks for more
%! product(+Xs:list(int), +K:int, -P:int) is det.
product(Xs, K, P) :- ( Xs = [K|Rest] -> product(Rest, K, P0), P is K * P0 ; P = 1 ).
%%% forbidden: the end depends on an argument
%! product(+Xs:list(int), +K:int, -P:int) is det.
product(Xs, K, P) :- ( Xs = [X|Rest] -> product(Rest, K, P0), P is X * P0 ; P = K ).
%%% applies: an if-then-else, brackets at the ends of expressions
%! weight(+Xs:list(int), +K:int, -S:int) is det.
weight(Xs, K, S) :-
    (   [X|Ys] = Xs
    ->  Y is X*(K+1),
        weight(Ys, K, S0),
        S is (S0 + Y) - (K - 1)
    ;   S = 0
    ).
%%% to
%! weight(+Xs:list(int), +K:int, -S:int) is det.
weight(Xs, K, S) :- weight(Xs, K, 0, S).

weight([], _, Acc, Acc).
weight([X|Ys], K, Acc, S) :-
    Y is X*(K+1),
    Acc1 is (Acc + Y) - (K - 1),
    weight(Ys, K, Acc1, S).
