%% Closures, composition, folds over trees.
% ?- compose([succ, plus(10)], 1, X).
% ?- map_tree([X,Y]>>(Y is X*X), n(l(1),l(2)), T).
% ?- fold_tree(plus, n(l(1),n(l(2),l(3))), S).
% ?- foldr([X,Y,Z]>>(Z is X-Y), [10,3,2], 0, R).
% ?- Add = [X,Y,Z]>>(Z is X+Y), call(Add, 1, 2, R), call(Add, 3, 4, Q).
% ?- N = 5, maplist({N}/[X,Y]>>(Y is X+N), [1,2], L).
% ?- N = 5, maplist([X,Y]>>(Y is X+N), [1,2], L).
% ?- maplist([X]>>(X = 1), [A,B]).
% ?- zip([1,2], [a,b], Z), unzip(Z, A, B).
% ?- iterate(5, [X,Y]>>(Y is X*2), 1, R).
% ?- curry(3, R).
% ?- maplist(call, [X=1, Y=2]).
% ?- maplist([X,Y,Z]>>atom_concat(X, Y, Z), [a,b], [c,d], L).

compose(Fs, X, Y) :- foldl([F,A,B]>>call(F, A, B), Fs, X, Y).

map_tree(F, l(X), l(Y)) :- call(F, X, Y).
map_tree(F, n(A,B), n(C,D)) :- map_tree(F, A, C), map_tree(F, B, D).

fold_tree(_, l(X), X).
fold_tree(F, n(A,B), R) :- fold_tree(F, A, X), fold_tree(F, B, Y), call(F, X, Y, R).

foldr(_, [], V, V).
foldr(F, [X|Xs], V0, V) :- foldr(F, Xs, V0, V1), call(F, X, V1, V).

zip(Xs, Ys, Zs) :- maplist([X,Y,X-Y]>>true, Xs, Ys, Zs).
unzip(Zs, Xs, Ys) :- maplist([X-Y,X,Y]>>true, Zs, Xs, Ys).

iterate(0, _, X, X) :- !.
iterate(N, F, X, Y) :- call(F, X, Z), M is N-1, iterate(M, F, Z, Y).

curry(X, R) :- G = plus(X), H =.. [call,G,4,R], call(H).
