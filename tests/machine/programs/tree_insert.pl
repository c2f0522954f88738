%% Binary search trees.
% ?- build([5,2,8,1,9,3], T), inorder(T, L), depth(T, D).
% ?- build([2,1,3], T), in_tree(X, T).
% ?- build([2,1,3], T), delete_key(2, T, U), inorder(U, L).
% ?- build([], T).
% ?- build([1,1,1], T).

build(Xs, T) :- foldl(insert, Xs, nil, T).

insert(X, nil, node(nil,X,nil)).
insert(X, node(L,Y,R), T) :-
    compare(O, X, Y),
    insert(O, X, L, Y, R, T).

insert(=, _, L, Y, R, node(L,Y,R)).
insert(<, X, L, Y, R, node(M,Y,R)) :- insert(X, L, M).
insert(>, X, L, Y, R, node(L,Y,M)) :- insert(X, R, M).

inorder(T, L) :- inorder(T, L, []).
inorder(nil, L, L).
inorder(node(A,X,B), L, R) :- inorder(A, L, [X|M]), inorder(B, M, R).

depth(nil, 0).
depth(node(L,_,R), D) :- depth(L, A), depth(R, B), D is max(A, B)+1.

in_tree(X, node(L,_,_)) :- in_tree(X, L).
in_tree(X, node(_,X,_)).
in_tree(X, node(_,_,R)) :- in_tree(X, R).

delete_key(X, node(L,X,R), T) :- !, join(L, R, T).
delete_key(X, node(L,Y,R), node(M,Y,R)) :- X @< Y, !, delete_key(X, L, M).
delete_key(X, node(L,Y,R), node(L,Y,M)) :- delete_key(X, R, M).

join(nil, R, R) :- !.
join(L, nil, L) :- !.
join(L, R, node(L,X,M)) :- leftmost(R, X, M).

leftmost(node(nil,X,R), X, R) :- !.
leftmost(node(L,Y,R), X, node(M,Y,R)) :- leftmost(L, X, M).
