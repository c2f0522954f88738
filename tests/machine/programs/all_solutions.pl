%% findall, bagof, setof with free variables and carets.
% ?- findall(X, parent(X, _), L).
% ?- bagof(C, parent(P, C), L).
% ?- setof(P-C, parent(P, C), L).
% ?- setof(P, C^parent(P, C), L).
% ?- bagof(C, P^parent(P, C), L).
% ?- bagof(X, parent(nobody, X), L).
% ?- findall(X, fail, L).
% ?- findall(X-Y, ( member(X, [1,2]), member(Y, [a,b]) ), L).
% ?- setof(A-N, age(N, A), [Youngest|_]).
% ?- bagof(N, age(N, A), L).
% ?- forall(age(_, A), A > 3).
% ?- forall(age(_, A), A > 10).
% ?- aggregate_all(count, parent(_, _), N).
% ?- aggregate_all(sum(A), age(_, A), S), aggregate_all(max(A-N), age(N, A), M), aggregate_all(bag(N), age(N, _), B).
% ?- aggregate_all(max(A, N), age(N, A), M), aggregate_all(min(A, N), age(N, A), K).
% ?- aggregate_all(max(X), member(X, []), M).
% ?- findall(X, member(X, [1,2,3]), L, [4]).
% ?- bagof(X-Z, member(X, [V1,V2,V1]), L).
% ?- bagof(X, member(X-Y, [1-A,2-B,3-A]), L).
% ?- bagof(X, G, L).
% ?- findall(X, 1, L).
% ?- findall(X, member(X, [1]), foo).
% ?- setof(X, Y^Z^member(X-Y-Z, [b-1-2,a-2-1,b-3-3]), L).
% ?- findall(Y, ( bagof(X, member(X, [3,1]), Y) ; Y = none ), L).
% ?- grandparents(L).

parent(tom, bob). parent(tom, liz). parent(bob, ann). parent(bob, pat). parent(pat, jim).
age(peter, 7). age(ann, 11). age(pat, 8). age(tom, 5). age(mike, 11).

grandparents(L) :- setof(G-C, P^( parent(G, P), parent(P, C) ), L).
