%% Open structures: trees and lists that are completed later.
% ?- enter(Ds, a, 1), enter(Ds, b, 2), enter(Ds, a, V).
% ?- encode([the,cat,the,dog], Ns, Dictionary).
% ?- length(L, 3), L = [a|_], nth1(3, L, z).
% ?- tree_put(T, 5), tree_put(T, 3), tree_put(T, 8), tree_put(T, 3), tree_list(T, L).
% ?- balanced_marks([3,1,2], Ms).

enter(Ds, K, V) :- memberchk(K-V, Ds).

encode(Ws, Ns, D) :- encode(Ws, Ns, D, 1).
encode([], [], _, _).
encode([W|Ws], [N|Ns], D, K) :-
    memberchk(W-N, D),
    (   var(N)
    ->  N = K, K1 is K+1
    ;   K1 = K
    ),
    encode(Ws, Ns, D, K1).

tree_put(T, X) :- var(T), !, T = n(_,X,_).
tree_put(n(_,X,_), X) :- !.
tree_put(n(L,Y,_), X) :- X < Y, !, tree_put(L, X).
tree_put(n(_,_,R), X) :- tree_put(R, X).

tree_list(T, []) :- var(T), !.
tree_list(n(L,X,R), Xs) :- tree_list(L, As), tree_list(R, Bs), append(As, [X|Bs], Xs).

balanced_marks(Xs, Ms) :- sort(Xs, S), maplist([X,X-N]>>nth1(N, S, X), Xs, Ms).
