%% Library predicates on lists of `Key-Value`, clause by clause as SWI-Prolog counts them.

pairs_keys_values(Pairs, Keys, Values) :-
    (   nonvar(Pairs)
    ->  pairs_keys_values_(Pairs, Keys, Values)
    ;   nonvar(Keys)
    ->  keys_values_pairs(Keys, Values, Pairs)
    ;   values_keys_pairs(Values, Keys, Pairs)
    ).

pairs_keys_values_([], [], []).
pairs_keys_values_([K-V|Pairs], [K|Ks], [V|Vs]) :-
    pairs_keys_values_(Pairs, Ks, Vs).

keys_values_pairs([], [], []).
keys_values_pairs([K|Ks], [V|Vs], [K-V|Pairs]) :-
    keys_values_pairs(Ks, Vs, Pairs).

values_keys_pairs([], [], []).
values_keys_pairs([V|Vs], [K|Ks], [K-V|Pairs]) :-
    values_keys_pairs(Vs, Ks, Pairs).

pairs_values([], []).
pairs_values([_-V|Pairs], [V|Vs]) :-
    pairs_values(Pairs, Vs).

pairs_keys([], []).
pairs_keys([K-_|Pairs], [K|Ks]) :-
    pairs_keys(Pairs, Ks).

group_pairs_by_key([], []).
group_pairs_by_key([K-V|Pairs], [K-[V|Vs]|Groups]) :-
    same_key(K, Pairs, Vs, Rest),
    group_pairs_by_key(Rest, Groups).

same_key(K0, [K-V|Pairs], [V|Vs], Rest) :-
    K0 == K, !,
    same_key(K, Pairs, Vs, Rest).
same_key(_, Rest, [], Rest).

transpose_pairs(Pairs, Transposed) :-
    flip_pairs(Pairs, Flipped),
    keysort(Flipped, Transposed).

flip_pairs([], []).
flip_pairs([K-V|Pairs], [V-K|Flipped]) :-
    flip_pairs(Pairs, Flipped).

map_list_to_pairs(G, Xs, Pairs) :-
    map_list_to_pairs2(Xs, G, Pairs).

map_list_to_pairs2([], _, []).
map_list_to_pairs2([X|Xs], G, [K-X|Pairs]) :-
    call(G, X, K),
    map_list_to_pairs2(Xs, G, Pairs).
