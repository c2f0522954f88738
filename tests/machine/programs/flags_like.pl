%% Association lists, option processing, defaults.
% ?- option(size, [color-red,size-3], V).
% ?- option(depth, [color-red], V).
% ?- merge_options([a=1,b=2], [b=3,c=4], M).
% ?- sorted_keys([b-1,a-2,b-0], G).
% ?- pairs_of(f(x=1,y=2,z), P).

option(K, Options, V) :- memberchk(K-V0, Options), !, V = V0.
option(K, _, V) :- default(K, V).

default(size, 1).
default(depth, 10).

merge_options(New, Old, Merged) :-
    exclude([K=_]>>memberchk(K=_, New), Old, Rest),
    append(New, Rest, All),
    msort(All, Merged).

sorted_keys(Pairs, Groups) :- keysort(Pairs, Sorted), group_pairs_by_key(Sorted, Groups).

pairs_of(T, Ps) :- T =.. [_|As], findall(K-V, ( member(A, As), nonvar(A), A = (K=V) ), Ps).
