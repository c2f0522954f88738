%% Word counts in an association.
% ?- counts([the,cat,the,dog,a,cat,the], C).
% ?- list_to_assoc([b-2,a-1], A), get_assoc(a, A, V), put_assoc(c, A, 3, B), assoc_to_list(B, L), assoc_to_keys(B, K), assoc_to_values(B, W).
% ?- numlist(1, 20, L), foldl([X,A0,A1]>>put_assoc(X, A0, X, A1), L, t, A), max_assoc(A, K, V), min_assoc(A, K0, V0), del_assoc(7, A, _, B), assoc_to_keys(B, Ks).
% ?- list_to_assoc([a-1,a-2], A).
% ?- list_to_assoc([c-1,a-2], A), gen_assoc(K, A, V).
% ?- empty_assoc(A), get_assoc(x, A, V).
% ?- list_to_assoc([a-1,b-2], A), map_assoc([X,Y]>>(Y is X*10), A, B).
% ?- numlist(1, 12, L), findall(X-X, member(X, L), Ps), list_to_assoc(Ps, A), foldl([K,A0,A1]>>del_assoc(K, A0, _, A1), [6,1,12,3,9], A, B).
% ?- list_to_assoc([a-1], A), del_min_assoc(A, K, V, B).

counts(Words, Counts) :- foldl(count, Words, t, A), assoc_to_list(A, Counts).

count(W, A0, A) :-
    (   get_assoc(W, A0, N0)
    ->  N is N0+1
    ;   N = 1
    ),
    put_assoc(W, A0, N, A).
