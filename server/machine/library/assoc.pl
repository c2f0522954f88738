%% Associations as AVL trees: `t` is empty, `t(Key, Value, Balance, Left, Right)` a node. The balance says which side is deeper:
%% `<` the left one, `>` the right one, `-` neither.

empty_assoc(t).

is_assoc(Tree) :-
    nonvar(Tree),
    is_assoc_(Tree, _, _, _).

% Least key, greatest key, depth; keys as lists of none or one.
is_assoc_(t, [], [], 0).
is_assoc_(t(K,_,B,L,R), Least, Greatest, Depth) :-
    nonvar(L),
    nonvar(R),
    is_assoc_(L, LeastL, GreatestL, DepthL),
    is_assoc_(R, LeastR, GreatestR, DepthR),
    all_before_(GreatestL, K),
    all_behind_(LeastR, K),
    Difference is DepthR-DepthL,
    balance_(Difference, B0),
    B == B0,
    outermost_(LeastL, K, Least),
    outermost_(GreatestR, K, Greatest),
    Depth is max(DepthL, DepthR)+1.

all_before_([], _).
all_before_([X], K) :-
    X @< K.

all_behind_([], _).
all_behind_([X], K) :-
    X @> K.

outermost_([], K, [K]).
outermost_([X], _, [X]).

balance_(-1, <).
balance_(0, -).
balance_(1, >).

get_assoc(Key, Tree, Value) :-
    (   var(Tree)
    ->  instantiation_error(Tree)
    ;   get_assoc_(Tree, Key, Value)
    ).

get_assoc_(t(K,V,_,L,R), Key, Value) :-
    compare(Order, Key, K),
    get_assoc_(Order, Key, V, L, R, Value).

get_assoc_(=, _, Value, _, _, Value).
get_assoc_(<, Key, _, L, _, Value) :-
    get_assoc_(L, Key, Value).
get_assoc_(>, Key, _, _, R, Value) :-
    get_assoc_(R, Key, Value).

get_assoc(Key, t(K,V,B,L,R), Value0, t(K,NV,B,NL,NR), Value) :-
    compare(Order, Key, K),
    get_assoc_(Order, Key, V, L, R, Value0, NV, NL, NR, Value).

get_assoc_(=, _, V, L, R, V, NV, L, R, NV).
get_assoc_(<, Key, V, L, R, Value0, V, NL, R, Value) :-
    get_assoc(Key, L, Value0, NL, Value).
get_assoc_(>, Key, V, L, R, Value0, V, L, NR, Value) :-
    get_assoc(Key, R, Value0, NR, Value).

put_assoc(Key, Tree0, Value, Tree) :-
    (   var(Tree0)
    ->  throw(error(existence_error(matching_rule, put_assoc_(Tree0, Key, Value, Tree, _)), _))
    ;   put_assoc_(Tree0, Key, Value, Tree, _)
    ).

% The last argument says whether the tree has become deeper.
put_assoc_(t, Key, Value, t(Key,Value,-,t,t), yes).
put_assoc_(t(K,V,B,L,R), Key, Value, Tree, Deeper) :-
    compare(Order, Key, K),
    put_assoc_(Order, Key, Value, K, V, B, L, R, Tree, Deeper).

put_assoc_(=, Key, Value, _, _, B, L, R, t(Key,Value,B,L,R), no).
put_assoc_(<, Key, Value, K, V, B, L0, R, Tree, Deeper) :-
    put_assoc_(L0, Key, Value, L, LeftDeeper),
    left_deeper_(LeftDeeper, K, V, B, L, R, Tree, Deeper).
put_assoc_(>, Key, Value, K, V, B, L, R0, Tree, Deeper) :-
    put_assoc_(R0, Key, Value, R, RightDeeper),
    right_deeper_(RightDeeper, K, V, B, L, R, Tree, Deeper).

% A side of a node has become deeper, or not.
left_deeper_(no, K, V, B, L, R, t(K,V,B,L,R), no).
left_deeper_(yes, K, V, B, L, R, Tree, Deeper) :-
    left_deeper_at_(B, K, V, L, R, Tree, Deeper).

left_deeper_at_(-, K, V, L, R, t(K,V,<,L,R), yes).
left_deeper_at_(>, K, V, L, R, t(K,V,-,L,R), no).
left_deeper_at_(<, K, V, L, R, Tree, no) :-
    rotate_right_(L, K, V, R, Tree, _).

right_deeper_(no, K, V, B, L, R, t(K,V,B,L,R), no).
right_deeper_(yes, K, V, B, L, R, Tree, Deeper) :-
    right_deeper_at_(B, K, V, L, R, Tree, Deeper).

right_deeper_at_(-, K, V, L, R, t(K,V,>,L,R), yes).
right_deeper_at_(<, K, V, L, R, t(K,V,-,L,R), no).
right_deeper_at_(>, K, V, L, R, Tree, no) :-
    rotate_left_(R, K, V, L, Tree, _).

% The left side is deeper by two. The last argument says whether the tree is less deep than before.
rotate_right_(t(KL,VL,<,LL,LR), K, V, R, t(KL,VL,-,LL,t(K,V,-,LR,R)), yes).
rotate_right_(t(KL,VL,-,LL,LR), K, V, R, t(KL,VL,>,LL,t(K,V,<,LR,R)), no).
rotate_right_(t(KL,VL,>,LL,t(KM,VM,BM,ML,MR)), K, V, R, t(KM,VM,-,t(KL,VL,B1,LL,ML),t(K,V,B2,MR,R)), yes) :-
    middle_balance_(BM, B1, B2).

rotate_left_(t(KR,VR,>,RL,RR), K, V, L, t(KR,VR,-,t(K,V,-,L,RL),RR), yes).
rotate_left_(t(KR,VR,-,RL,RR), K, V, L, t(KR,VR,<,t(K,V,>,L,RL),RR), no).
rotate_left_(t(KR,VR,<,t(KM,VM,BM,ML,MR),RR), K, V, L, t(KM,VM,-,t(K,V,B1,L,ML),t(KR,VR,B2,MR,RR)), yes) :-
    middle_balance_(BM, B1, B2).

middle_balance_(-, -, -).
middle_balance_(<, -, >).
middle_balance_(>, <, -).

del_assoc(Key, Tree0, Value, Tree) :-
    del_assoc_(Tree0, Key, Value, Tree, _).

del_assoc_(t(K,V,B,L,R), Key, Value, Tree, Shallower) :-
    compare(Order, Key, K),
    del_assoc_(Order, Key, K, V, B, L, R, Value, Tree, Shallower).

del_assoc_(=, _, _, V, B, L, R, V, Tree, Shallower) :-
    without_root_(L, R, B, Tree, Shallower).
del_assoc_(<, Key, K, V, B, L0, R, Value, Tree, Shallower) :-
    del_assoc_(L0, Key, Value, L, LeftShallower),
    left_shallower_(LeftShallower, K, V, B, L, R, Tree, Shallower).
del_assoc_(>, Key, K, V, B, L, R0, Value, Tree, Shallower) :-
    del_assoc_(R0, Key, Value, R, RightShallower),
    right_shallower_(RightShallower, K, V, B, L, R, Tree, Shallower).

without_root_(t, R, _, R, yes) :-
    !.
without_root_(L, t, _, L, yes) :-
    !.
without_root_(L0, R, B, Tree, Shallower) :-
    del_max_assoc_(L0, K, V, L, LeftShallower),
    left_shallower_(LeftShallower, K, V, B, L, R, Tree, Shallower).

left_shallower_(no, K, V, B, L, R, t(K,V,B,L,R), no).
left_shallower_(yes, K, V, B, L, R, Tree, Shallower) :-
    left_shallower_at_(B, K, V, L, R, Tree, Shallower).

left_shallower_at_(<, K, V, L, R, t(K,V,-,L,R), yes).
left_shallower_at_(-, K, V, L, R, t(K,V,>,L,R), no).
left_shallower_at_(>, K, V, L, R, Tree, Shallower) :-
    rotate_left_(R, K, V, L, Tree, Shallower).

right_shallower_(no, K, V, B, L, R, t(K,V,B,L,R), no).
right_shallower_(yes, K, V, B, L, R, Tree, Shallower) :-
    right_shallower_at_(B, K, V, L, R, Tree, Shallower).

right_shallower_at_(>, K, V, L, R, t(K,V,-,L,R), yes).
right_shallower_at_(-, K, V, L, R, t(K,V,<,L,R), no).
right_shallower_at_(<, K, V, L, R, Tree, Shallower) :-
    rotate_right_(L, K, V, R, Tree, Shallower).

del_min_assoc(Tree0, Key, Value, Tree) :-
    del_min_assoc_(Tree0, Key, Value, Tree, _).

del_min_assoc_(t(K,V,_,t,R), K, V, R, yes) :-
    !.
del_min_assoc_(t(K,V,B,L0,R), Key, Value, Tree, Shallower) :-
    del_min_assoc_(L0, Key, Value, L, LeftShallower),
    left_shallower_(LeftShallower, K, V, B, L, R, Tree, Shallower).

del_max_assoc(Tree0, Key, Value, Tree) :-
    del_max_assoc_(Tree0, Key, Value, Tree, _).

del_max_assoc_(t(K,V,_,L,t), K, V, L, yes) :-
    !.
del_max_assoc_(t(K,V,B,L,R0), Key, Value, Tree, Shallower) :-
    del_max_assoc_(R0, Key, Value, R, RightShallower),
    right_shallower_(RightShallower, K, V, B, L, R, Tree, Shallower).

min_assoc(t(K,V,_,L,_), Key, Value) :-
    min_assoc_(L, K, V, Key, Value).

min_assoc_(t, K, V, K, V).
min_assoc_(t(K,V,_,L,_), _, _, Key, Value) :-
    min_assoc_(L, K, V, Key, Value).

max_assoc(t(K,V,_,_,R), Key, Value) :-
    max_assoc_(R, K, V, Key, Value).

max_assoc_(t, K, V, K, V).
max_assoc_(t(K,V,_,_,R), _, _, Key, Value) :-
    max_assoc_(R, K, V, Key, Value).

gen_assoc(Key, Tree, Value) :-
    (   ground(Key)
    ->  get_assoc(Key, Tree, Value)
    ;   gen_assoc_(Tree, Key, Value)
    ).

gen_assoc_(t(K,V,_,L,R), Key, Value) :-
    (   gen_assoc_(L, Key, Value)
    ;   Key = K,
        Value = V
    ;   gen_assoc_(R, Key, Value)
    ).

assoc_to_list(Tree, Pairs) :-
    assoc_to_list_(Tree, Pairs, []).

assoc_to_list_(t, Pairs, Pairs).
assoc_to_list_(t(K,V,_,L,R), Pairs, Rest) :-
    assoc_to_list_(L, Pairs, [K-V|Middle]),
    assoc_to_list_(R, Middle, Rest).

assoc_to_keys(Tree, Keys) :-
    assoc_to_keys_(Tree, Keys, []).

assoc_to_keys_(t, Keys, Keys).
assoc_to_keys_(t(K,_,_,L,R), Keys, Rest) :-
    assoc_to_keys_(L, Keys, [K|Middle]),
    assoc_to_keys_(R, Middle, Rest).

assoc_to_values(Tree, Values) :-
    assoc_to_values_(Tree, Values, []).

assoc_to_values_(t, Values, Values).
assoc_to_values_(t(_,V,_,L,R), Values, Rest) :-
    assoc_to_values_(L, Values, [V|Middle]),
    assoc_to_values_(R, Middle, Rest).

list_to_assoc(List, Tree) :-
    keysort(List, Sorted),
    (   ord_pairs_(Sorted)
    ->  length(Sorted, N),
        balanced_(N, Sorted, [], _, Tree)
    ;   domain_error(unique_key_pairs, List)
    ).

ord_list_to_assoc(Sorted, Tree) :-
    (   is_list(Sorted)
    ->  (   ord_pairs_(Sorted)
        ->  length(Sorted, N),
            balanced_(N, Sorted, [], _, Tree)
        ;   domain_error(key_ordered_pairs, Sorted)
        )
    ;   type_error(list, Sorted)
    ).

% Pairs with strictly growing keys.
ord_pairs_([]).
ord_pairs_([K-_|Pairs]) :-
    ord_pairs_(Pairs, K).

ord_pairs_([], _).
ord_pairs_([K-_|Pairs], Before) :-
    Before @< K,
    ord_pairs_(Pairs, K).

% A tree of the first N pairs, its depth, and the rest of the pairs.
balanced_(0, Pairs, Pairs, 0, t) :-
    !.
balanced_(N, Pairs, Rest, Depth, t(K,V,B,L,R)) :-
    Left is N//2,
    Right is N-1-Left,
    balanced_(Left, Pairs, [K-V|Middle], DepthL, L),
    balanced_(Right, Middle, Rest, DepthR, R),
    Depth is max(DepthL, DepthR)+1,
    Difference is DepthR-DepthL,
    balance_(Difference, B).

map_assoc(G, Tree) :-
    map_assoc_(Tree, G).

map_assoc_(t, _).
map_assoc_(t(_,V,_,L,R), G) :-
    map_assoc_(L, G),
    call(G, V),
    map_assoc_(R, G).

map_assoc(G, Tree0, Tree) :-
    map_assoc_(Tree0, G, Tree).

map_assoc_(t, _, t).
map_assoc_(t(K,V,B,L0,R0), G, t(K,W,B,L,R)) :-
    map_assoc_(L0, G, L),
    call(G, V, W),
    map_assoc_(R0, G, R).

