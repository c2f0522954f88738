%% Paths in a graph: depth first, breadth first, reachable sets, cycles.
% ?- path(a, e, P).
% ?- shortest(a, e, P).
% ?- reachable(a, S).
% ?- cyclic(N).
% ?- cheapest(a, e, C-P).
% ?- topological([b-c,a-b,a-c], L).

edge(a, b, 4). edge(a, c, 1). edge(c, b, 2). edge(b, d, 5). edge(c, d, 8). edge(d, e, 3). edge(d, a, 1).

path(X, Y, P) :- path(X, Y, [X], R), reverse(R, P).
path(Y, Y, P, P).
path(X, Y, Seen, P) :- edge(X, Z, _), \+ memberchk(Z, Seen), path(Z, Y, [Z|Seen], P).

shortest(X, Y, P) :- breadth([[X]], Y, R), !, reverse(R, P).
breadth([[Y|P]|_], Y, [Y|P]).
breadth([[X|P]|Queue], Y, R) :-
    findall([Z,X|P], ( edge(X, Z, _), \+ memberchk(Z, [X|P]) ), Next),
    append(Queue, Next, Queue1),
    breadth(Queue1, Y, R).

reachable(X, S) :- reach([X], [], R), sort(R, S).
reach([], Seen, Seen).
reach([X|Xs], Seen, R) :- memberchk(X, Seen), !, reach(Xs, Seen, R).
reach([X|Xs], Seen, R) :- findall(Y, edge(X, Y, _), Ys), append(Ys, Xs, Zs), reach(Zs, [X|Seen], R).

cyclic(N) :- setof(X, Y^C^edge(X, Y, C), Xs), member(N, Xs), edge(N, M, _), once(path(M, N, _)).

cheapest(X, Y, Best) :- findall(C-P, ( path(X, Y, P), cost(P, C) ), All), sort(All, [Best|_]).
cost([_], 0).
cost([X,Y|P], C) :- edge(X, Y, D), cost([Y|P], E), C is D+E.

topological(Edges, Sorted) :- setof(N, M^( member(N-M, Edges) ; member(M-N, Edges) ), Nodes), topological(Nodes, Edges, Sorted).
topological([], _, []) :- !.
topological(Nodes, Edges, [N|Sorted]) :-
    select(N, Nodes, Rest),
    \+ member(_-N, Edges), !,
    exclude([A-_]>>(A == N), Edges, Left),
    topological(Rest, Left, Sorted).
