%%% says: a sum of numbers that may be floats
%! total(+Xs:list(number), -S) is det.
total([], 0).
total([X|Xs], S) :- total(Xs, S0), S is S0+X.
%%% hint
% 3: `total/2` keeps an environment on each of up to n + 1 levels (n = length(Xs)): `S is S0+X` waits for the recursive call. With the value carried along the call is the last goal, and none waits; floats may be rounded otherwise then.
%%% says: a structure around what the call gives
%! names(+Ps:list(atom), -Ns) is det.
names([], []).
names([P|Ps], Ns) :-
    names(Ps, Rest),
    Ns = [name(P)|Rest].
%%% hint
% 4: `names/2` keeps an environment on each of up to n + 1 levels (n = length(Ps)): `Ns = [name(P)|Rest]` waits for the recursive call. In front of the call, `Ns = [name(P)|Rest]` leaves none waiting.
%%% says: without a declaration, an argument handed on
product([], _, 1).
product([X|Xs], K, P) :- Y is X+K, product(Xs, K, Q), P is Q*Y.
%%% hint
% 2: `product/3` keeps an environment on each of up to n + 1 levels (n = length(argument 1)): `P is Q*Y` waits for the recursive call. With the value carried along the call is the last goal, and none waits.
%%% silent: the quick fix says it
%! total(+Xs:list(int), -S:int) is det.
total([], 0).
total([X|Xs], S) :- total(Xs, S0), S is S0+X.
%%% silent: the call is the last goal
%! total(+Xs:list(number), +Acc:number, -S) is det.
total([], S, S).
total([X|Xs], S0, S) :- S1 is S0+X, total(Xs, S1, S).
%%% silent: not associative
%! alternating(+Xs:list(number), -S) is det.
alternating([], 0).
alternating([X|Xs], S) :- alternating(Xs, S0), S is X-S0.
%%% silent: sums of products
%! mixed(+Xs:list(number), -S) is det.
mixed([], 0).
mixed([X|Xs], S) :- X > 0, mixed(Xs, S0), S is S0+X.
mixed([X|Xs], S) :- X =< 0, mixed(Xs, S0), S is S0*X.
%%% silent: what is added comes from the call
%! pair(+Xs:list(number), -S, -N) is det.
pair([], 0, 1).
pair([X|Xs], S, N) :- pair(Xs, S0, N0), S is S0+N0, N is N0+X.
%%% silent: the result may be known
%! total(+Xs:list(number), ?S) is semidet.
total([], 0).
total([X|Xs], S) :- total(Xs, S0), S is S0+X.
%%% silent: a logarithm of levels
%! bits(+N:int, -B:number) is det.
bits(N, 0) :- N =< 0.
bits(N, B) :- N > 0, M is N//2, bits(M, C), B is C+0.5.
%%% silent: two calls make a tree
:- regtype tree/1.
tree(leaf).
tree(node(L, _, R)) :- tree(L), tree(R).
:- pred weight(T, N) : (tree(T), var(N)).
weight(leaf, 0).
weight(node(L, _, R), N) :- weight(L, A), weight(R, B), N is A+B.
%%% silent: a choice point keeps the environment all the same
product([], _, 1).
product([X|Xs], K, P) :- X =\= K, product(Xs, K, Q), P is Q*X.
product([X|Xs], K, P) :- X =:= K, product(Xs, K, P).
