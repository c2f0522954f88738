%% Library predicates that apply a closure to the elements of lists, as written in Prolog in SWI-Prolog: each element is one
%% clause entry of a helper whose first argument is the list. Where the closure of a call is known, Costlens puts it into these
%% clauses, so that `call/N` costs what the called predicate costs and nothing else.

maplist(G, Xs) :-
    maplist_(Xs, G).

maplist_([], _).
maplist_([X|Xs], G) :-
    call(G, X),
    maplist_(Xs, G).

maplist(G, Xs, Ys) :-
    maplist_(Xs, Ys, G).

maplist_([], [], _).
maplist_([X|Xs], [Y|Ys], G) :-
    call(G, X, Y),
    maplist_(Xs, Ys, G).

maplist(G, Xs, Ys, Zs) :-
    maplist_(Xs, Ys, Zs, G).

maplist_([], [], [], _).
maplist_([X|Xs], [Y|Ys], [Z|Zs], G) :-
    call(G, X, Y, Z),
    maplist_(Xs, Ys, Zs, G).

maplist(G, Xs, Ys, Zs, Us) :-
    maplist_(Xs, Ys, Zs, Us, G).

maplist_([], [], [], [], _).
maplist_([X|Xs], [Y|Ys], [Z|Zs], [U|Us], G) :-
    call(G, X, Y, Z, U),
    maplist_(Xs, Ys, Zs, Us, G).

convlist(G, Xs, Ys) :-
    convlist_(Xs, Ys, G).

convlist_([], [], _).
convlist_([X|Xs], Ys, G) :-
    (   call(G, X, Y)
    ->  Ys = [Y|Rest],
        convlist_(Xs, Rest, G)
    ;   convlist_(Xs, Ys, G)
    ).

foldl(G, Xs, V0, V) :-
    foldl_(Xs, G, V0, V).

foldl_([], _, V, V).
foldl_([X|Xs], G, V0, V) :-
    call(G, X, V0, V1),
    foldl_(Xs, G, V1, V).

foldl(G, Xs, Ys, V0, V) :-
    foldl_(Xs, Ys, G, V0, V).

foldl_([], [], _, V, V).
foldl_([X|Xs], [Y|Ys], G, V0, V) :-
    call(G, X, Y, V0, V1),
    foldl_(Xs, Ys, G, V1, V).

foldl(G, Xs, Ys, Zs, V0, V) :-
    foldl_(Xs, Ys, Zs, G, V0, V).

foldl_([], [], [], _, V, V).
foldl_([X|Xs], [Y|Ys], [Z|Zs], G, V0, V) :-
    call(G, X, Y, Z, V0, V1),
    foldl_(Xs, Ys, Zs, G, V1, V).

foldl(G, Xs, Ys, Zs, Us, V0, V) :-
    foldl_(Xs, Ys, Zs, Us, G, V0, V).

foldl_([], [], [], [], _, V, V).
foldl_([X|Xs], [Y|Ys], [Z|Zs], [U|Us], G, V0, V) :-
    call(G, X, Y, Z, U, V0, V1),
    foldl_(Xs, Ys, Zs, Us, G, V1, V).

scanl(G, Xs, V0, [V0|Vs]) :-
    scanl_(Xs, G, V0, Vs).

scanl_([], _, _, []).
scanl_([X|Xs], G, V0, [V|Vs]) :-
    call(G, X, V0, V),
    scanl_(Xs, G, V, Vs).

scanl(G, Xs, Ys, V0, [V0|Vs]) :-
    scanl_(Xs, Ys, G, V0, Vs).

scanl_([], [], _, _, []).
scanl_([X|Xs], [Y|Ys], G, V0, [V|Vs]) :-
    call(G, X, Y, V0, V),
    scanl_(Xs, Ys, G, V, Vs).

scanl(G, Xs, Ys, Zs, V0, [V0|Vs]) :-
    scanl_(Xs, Ys, Zs, G, V0, Vs).

scanl_([], [], [], _, _, []).
scanl_([X|Xs], [Y|Ys], [Z|Zs], G, V0, [V|Vs]) :-
    call(G, X, Y, Z, V0, V),
    scanl_(Xs, Ys, Zs, G, V, Vs).

scanl(G, Xs, Ys, Zs, Us, V0, [V0|Vs]) :-
    scanl_(Xs, Ys, Zs, Us, G, V0, Vs).

scanl_([], [], [], [], _, _, []).
scanl_([X|Xs], [Y|Ys], [Z|Zs], [U|Us], G, V0, [V|Vs]) :-
    call(G, X, Y, Z, U, V0, V),
    scanl_(Xs, Ys, Zs, Us, G, V, Vs).

include(G, Xs, Ys) :-
    include_(Xs, G, Ys).

include_([], _, []).
include_([X|Xs], G, Ys) :-
    (   call(G, X)
    ->  Ys = [X|Rest]
    ;   Ys = Rest
    ),
    include_(Xs, G, Rest).

exclude(G, Xs, Ys) :-
    exclude_(Xs, G, Ys).

exclude_([], _, []).
exclude_([X|Xs], G, Ys) :-
    (   call(G, X)
    ->  Ys = Rest
    ;   Ys = [X|Rest]
    ),
    exclude_(Xs, G, Rest).

partition(G, Xs, Ins, Outs) :-
    partition_(Xs, G, Ins, Outs).

partition_([], _, [], []).
partition_([X|Xs], G, Ins, Outs) :-
    (   call(G, X)
    ->  Ins = [X|Rest],
        partition_(Xs, G, Rest, Outs)
    ;   Outs = [X|Rest],
        partition_(Xs, G, Ins, Rest)
    ).

partition(G, Xs, Ls, Es, Gs) :-
    partition_(Xs, G, Ls, Es, Gs).

partition_([], _, [], [], []).
partition_([X|Xs], G, Ls, Es, Gs) :-
    call(G, X, Order),
    partition_(Order, X, G, Xs, Ls, Es, Gs).

partition_(<, X, G, Xs, Ls, Es, Gs) :-
    !,
    Ls = [X|Rest],
    partition_(Xs, G, Rest, Es, Gs).
partition_(=, X, G, Xs, Ls, Es, Gs) :-
    !,
    Es = [X|Rest],
    partition_(Xs, G, Ls, Rest, Gs).
partition_(>, X, G, Xs, Ls, Es, Gs) :-
    !,
    Gs = [X|Rest],
    partition_(Xs, G, Ls, Es, Rest).
partition_(Order, _, _, _, _, _, _) :-
    must_be(oneof([<,=,>]), Order).
