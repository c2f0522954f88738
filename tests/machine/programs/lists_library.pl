%% The library of lists.
% ?- append(X, [3], [1,2,3]).
% ?- append([[1],[2,3],[]], L).
% ?- member(X, [a,b,c]).
% ?- memberchk(X-1, [a-2,b-1,c-1]).
% ?- select(b, [a,b,c,b], R).
% ?- selectchk(b, [a,b,c,b], R), select(a, [a,b], z, S).
% ?- permutation([1,2,3], P).
% ?- permutation(P, [a,b]).
% ?- reverse([1,2,3], R), last([1,2,3], L), nth0(1, [a,b,c], X), nth1(1, [a,b,c], Y).
% ?- nth1(N, [a,b,a], a).
% ?- nth0(5, [a], X).
% ?- nth0(1, [a,b,c], E, R).
% ?- sum_list([1,2.5,3], S), max_list([3,1,4], Mx), min_list([3,1,4], Mn), numlist(2, 5, L).
% ?- max_list([], M).
% ?- max_member(M, [3,a,"s",f(x)]), min_member(N, [3,a,1.0]).
% ?- delete([a,B,c,a], a, L).
% ?- subtract([1,2,3,4], [2,4], L), intersection([1,2,3], [3,1], I), union([1,2], [2,3], U).
% ?- subset([a], [b,a]), is_set([a,b]), \+ is_set([a,a]).
% ?- list_to_set([a,b,a,1,1.0,b], S).
% ?- flatten([a,[b,[c,d],[]],e|[f]], F).
% ?- flatten(x, F).
% ?- exclude([X]>>(X > 2), [1,2,3,4], L), include([X]>>(X > 2), [1,2,3,4], M), partition([X]>>(X < 3), [1,2,3,4], In, Out).
% ?- foldl([X,A,B]>>(B is A+X), [1,2,3], 0, S).
% ?- maplist([X,Y]>>(Y is X*X), [1,2,3], L).
% ?- maplist(succ, L, [2,3]).
% ?- maplist(=(X), [a,a]).
% ?- maplist(=(X), [a,b]).
% ?- nextto(X, Y, [1,2,3]).
% ?- sumlist([1,2], S), same_length([a,b], L), prefix(P, [a,b]).
% ?- pairs_keys_values(P, [a,b], [1,2]), pairs_keys(P, K), pairs_values(P, V), transpose_pairs(P, T).
% ?- msort([b,a,c,a], L), sort(0, @>=, [1,3,2,3], M), predsort([O,A,B]>>compare(O,A,B), [c,a,b,a], N).
% ?- length(L, 2), L = [a|_].
% ?- clumped([a-1,a-2,b-3], C).
% ?- clumped([a,a,b,a], C).
% ?- pairs_keys_values([a-1|T], [a,b], [1,2]).
% ?- aggregate_all(count, member(_, [a,b]), C).
% ?- exclude([_-V]>>(V < 2), [a-1,b-2,c-3], L).
% ?- convlist([X,Y]>>(X > 1, Y is X*2), [1,2,3], L).
% ?- foldl([X,Y,A,B]>>(B is A+X*Y), [1,2], [3,4], 0, S).
% ?- max_member(@=<, M, [b,c,a]).
% ?- partition([X,C]>>compare(C,X,2), [1,2,3], L, E, G).
% ?- proper_length([a,b], N), \+ proper_length([a|_], _).
% ?- last([], X).
% ?- sum_list([a], S).
