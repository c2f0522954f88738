%% Several sorting algorithms agree.
% ?- sample(L), msort_own(L, A), insertion(L, A), selection(L, A), bubble(L, A), heap(L, A).
% ?- permutation_sort([3,1,2], S).
% ?- merge_sorted([1,3,5], [2,3,4], M).
% ?- insertion([c,B,a], S).

sample([5,3,9,1,5,7,2,8,0,5]).

msort_own([], []) :- !.
msort_own([X], [X]) :- !.
msort_own(Xs, Ys) :- halve(Xs, As, Bs), msort_own(As, Cs), msort_own(Bs, Ds), merge_sorted(Cs, Ds, Ys).

halve([], [], []).
halve([X|Xs], [X|As], Bs) :- halve(Xs, Bs, As).

merge_sorted([], Ys, Ys) :- !.
merge_sorted(Xs, [], Xs) :- !.
merge_sorted([X|Xs], [Y|Ys], [X|Zs]) :- X @=< Y, !, merge_sorted(Xs, [Y|Ys], Zs).
merge_sorted(Xs, [Y|Ys], [Y|Zs]) :- merge_sorted(Xs, Ys, Zs).

insertion(Xs, Ys) :- foldl(insert, Xs, [], Ys).
insert(X, [Y|Ys], [Y|Zs]) :- X @> Y, !, insert(X, Ys, Zs).
insert(X, Ys, [X|Ys]).

selection([], []) :- !.
selection(Xs, [M|Ys]) :- smallest(Xs, M), once(select(M, Xs, Rest)), selection(Rest, Ys).
smallest([X|Xs], M) :- foldl([A,B,C]>>( A @< B -> C = A ; C = B ), Xs, X, M).

bubble(Xs, Ys) :- append(As, [X,Y|Bs], Xs), X @> Y, !, append(As, [Y,X|Bs], Zs), bubble(Zs, Ys).
bubble(Xs, Xs).

heap(Xs, Ys) :- foldl(push, Xs, e, H), drain(H, Ys).
push(X, H0, H) :- meld(n(X,e,e), H0, H).
meld(e, H, H) :- !.
meld(H, e, H) :- !.
meld(n(X,A,B), n(Y,C,D), n(X,M,A)) :- X @=< Y, !, meld(B, n(Y,C,D), M).
meld(H, n(Y,C,D), n(Y,M,C)) :- meld(H, D, M).
drain(e, []).
drain(n(X,A,B), [X|Ys]) :- meld(A, B, H), drain(H, Ys).

permutation_sort(Xs, Ys) :- permutation(Xs, Ys), ordered(Ys), !.
ordered([]).
ordered([_]).
ordered([X,Y|Zs]) :- X @=< Y, ordered([Y|Zs]).
