%% Library predicates on lists. They have the answers, in the same order, the clause entries, exceptions and choice points that SWI-Prolog's
%% have, for every kind of argument: `tests/trust/library.pl` compares them. Bounds are inferred from these clauses, and the machine runs
%% them. A predicate of the same name and arity in the user's file comes before them.

append([], Ys, Ys).
append([X|Xs], Ys, [X|Zs]) :-
    append(Xs, Ys, Zs).

append(Lists, List) :-
    must_be(list, Lists),
    append_(Lists, List).

append_([], []).
append_([L|Ls], As) :-
    append(L, Ws, As),
    append_(Ls, Ws).

member(X, [Y|Ys]) :-
    member_(Ys, X, Y).

member_(_, X, X).
member_([Y|Ys], X, _) :-
    member_(Ys, X, Y).

%% The second list is walked together with the first, so that the search ends where either of them does. An unbound one is made up
%% to the length of a proper first list.
reverse(Xs, Ys) :-
    (   var(Ys),
        is_list(Xs)
    ->  reverse(Xs, _, [], Reversed),
        Ys = Reversed
    ;   reverse(Xs, Ys, [], Ys)
    ).

reverse([], [], Ys, Ys).
reverse([X|Xs], [_|Bound], Rs, Ys) :-
    reverse(Xs, Bound, [X|Rs], Ys).

select(X, [Y|Ys], Zs) :-
    select3_(Ys, X, Y, Zs).

select3_(Ys, X, X, Ys).
select3_([Y2|Ys], X, Y, [Y|Zs]) :-
    select3_(Ys, X, Y2, Zs).

selectchk(X, Ys, Zs) :-
    select(X, Ys, Rest),
    !,
    Zs = Rest.

permutation(Xs, Ys) :-
    (   is_list(Xs),
        is_list(Ys)
    ->  length(Xs, N),
        length(Ys, N)
    ;   is_list(Xs),
        var(Ys)
    ->  length(Xs, N),
        length(Ys, N)
    ;   var(Xs),
        is_list(Ys)
    ->  length(Ys, N),
        length(Xs, N)
    ;   '$skip_list'(_, Xs, XEnd),
        '$skip_list'(_, Ys, YEnd),
        (   XEnd == [],
            var(YEnd)
        ->  length(Xs, N),
            length(Ys, N)
        ;   var(XEnd),
            YEnd == []
        ->  length(Ys, N),
            length(Xs, N)
        ;   var(XEnd),
            var(YEnd)
        ->  length(Xs, N),
            length(Ys, N)
        ;   must_be(list, Xs),
            must_be(list, Ys)
        )
    ),
    perm_(Xs, Ys).

perm_([], []).
perm_(Xs, [Y|Ys]) :-
    select(Y, Xs, Zs),
    perm_(Zs, Ys).

last([X|Xs], Last) :-
    last_(Xs, X, Last).

last_([], Last, Last).
last_([X|Xs], _, Last) :-
    last_(Xs, X, Last).

proper_length(Xs, Length) :-
    '$skip_list'(N, Xs, End),
    End == [],
    Length = N.

sum_list(Xs, Sum) :-
    sum_list(Xs, 0, Sum).

sum_list([], Sum0, Sum) =>
    Sum = Sum0.
sum_list([X|Xs], Sum0, Sum) =>
    Sum1 is Sum0+X,
    sum_list(Xs, Sum1, Sum).

sumlist(Xs, Sum) :-
    sum_list(Xs, Sum).

max_list([X|Xs], Max) =>
    max_list(Xs, X, Max).
max_list([], _) =>
    fail.

max_list([], Max0, Max) =>
    Max = Max0.
max_list([X|Xs], Max0, Max) =>
    Max1 is max(X, Max0),
    max_list(Xs, Max1, Max).

min_list([X|Xs], Min) =>
    min_list(Xs, X, Min).
min_list([], _) =>
    fail.

min_list([], Min0, Min) =>
    Min = Min0.
min_list([X|Xs], Min0, Min) =>
    Min1 is min(X, Min0),
    min_list(Xs, Min1, Min).

numlist(Low, High, Xs) :-
    must_be(integer, Low),
    must_be(integer, High),
    Low =< High,
    numlist_(Low, High, Xs).

numlist_(High, High, Xs) :-
    !,
    Xs = [High].
numlist_(Low, High, [Low|Xs]) :-
    Next is Low+1,
    numlist_(Next, High, Xs).

max_member(Max, [X|Xs]) =>
    max_member_(Xs, X, Max).
max_member(_, []) =>
    fail.

max_member_([], Max0, Max) =>
    Max = Max0.
max_member_([X|Xs], Max0, Max) =>
    (   X @=< Max0
    ->  max_member_(Xs, Max0, Max)
    ;   max_member_(Xs, X, Max)
    ).

min_member(Min, [X|Xs]) =>
    min_member_(Xs, X, Min).
min_member(_, []) =>
    fail.

min_member_([], Min0, Min) =>
    Min = Min0.
min_member_([X|Xs], Min0, Min) =>
    (   X @>= Min0
    ->  min_member_(Xs, Min0, Min)
    ;   min_member_(Xs, X, Min)
    ).

max_member(Pred, Max, [X|Xs]) =>
    max_member_(Xs, Pred, X, Max).
max_member(_, _, []) =>
    fail.

max_member_([], _, Max0, Max) =>
    Max = Max0.
max_member_([X|Xs], Pred, Max0, Max) =>
    (   call(Pred, X, Max0)
    ->  max_member_(Xs, Pred, Max0, Max)
    ;   max_member_(Xs, Pred, X, Max)
    ).

min_member(Pred, Min, [X|Xs]) =>
    min_member_(Xs, Pred, X, Min).
min_member(_, _, []) =>
    fail.

min_member_([], _, Min0, Min) =>
    Min = Min0.
min_member_([X|Xs], Pred, Min0, Min) =>
    (   call(Pred, Min0, X)
    ->  min_member_(Xs, Pred, Min0, Min)
    ;   min_member_(Xs, Pred, X, Min)
    ).

%% An element by its place: with an integer the elements before it are skipped by a built-in, so that the search takes one
%% clause entry wherever the element stands. Where the list ends in a variable before the place, each cell that is missing takes another one.
nth0(Index, Xs, X) :-
    (   integer(Index)
    ->  '$seek_list'(Index, Xs, Left, Rest),
        (   Left =:= 0
        ->  nth_det(Rest, X)
        ;   Left > 0
        ->  \+ is_list(Rest),
            nth_further(Rest, Left, X)
        ;   nth_none(Rest)
        )
    ;   var(Index)
    ->  Xs = [Y|Ys],
        nth_gen(Ys, X, Y, 0, Index)
    ;   must_be(integer, Index)
    ).

nth1(Index, Xs, X) :-
    (   integer(Index)
    ->  Index0 is Index-1,
        '$seek_list'(Index0, Xs, Left, Rest),
        (   Left =:= 0
        ->  nth_det(Rest, X)
        ;   Left > 0
        ->  \+ is_list(Rest),
            nth_further(Rest, Left, X)
        ;   nth_none(Rest)
        )
    ;   var(Index)
    ->  Xs = [Y|Ys],
        nth_gen(Ys, X, Y, 1, Index)
    ;   must_be(integer, Index)
    ).

nth_det([X|_], X) :-
    !.
nth_det([_|_], _) :-
    fail.

nth_further([_|Xs], Left, X) :-
    Left > 0,
    Left1 is Left-1,
    (   Left1 =:= 0
    ->  nth_det(Xs, X)
    ;   nth_further(Xs, Left1, X)
    ).

nth_none([_|_]) :-
    fail.

nth_gen(_, X, X, Index, Index).
nth_gen([Y|Ys], X, _, Index0, Index) :-
    succ(Index0, Index1),
    nth_gen(Ys, X, Y, Index1, Index).

nth0(Index, Xs, X, Rest) :-
    var(Index),
    !,
    nth_rest_gen(0, Index, Xs, X, Rest).
nth0(Index, Xs, X, Rest) :-
    must_be(nonneg, Index),
    nth_rest(Index, Xs, X, Rest).

nth1(Index, Xs, X, Rest) :-
    var(Index),
    !,
    nth_rest_gen(1, Index, Xs, X, Rest).
nth1(Index, Xs, X, Rest) :-
    must_be(positive_integer, Index),
    Index0 is Index-1,
    nth_rest(Index0, Xs, X, Rest).

nth_rest_gen(Index, Index, [X|Xs], X, Xs).
nth_rest_gen(Index0, Index, [Y|Xs], X, [Y|Rest]) :-
    Index1 is Index0+1,
    nth_rest_gen(Index1, Index, Xs, X, Rest).

nth_rest(0, [X|Xs], X, Xs) :-
    !.
nth_rest(Index, [Y|Xs], X, [Y|Rest]) :-
    Index1 is Index-1,
    nth_rest(Index1, Xs, X, Rest).

delete([], _, []).
delete([X|Xs], Y, Zs) :-
    (   \+ X \= Y
    ->  delete(Xs, Y, Zs)
    ;   Zs = [X|Rest],
        delete(Xs, Y, Rest)
    ).

subtract([], _, Zs) =>
    Zs = [].
subtract([X|Xs], Ys, Zs) =>
    (   memberchk(X, Ys)
    ->  subtract(Xs, Ys, Zs)
    ;   Zs = [X|Rest],
        subtract(Xs, Ys, Rest)
    ).

intersection([], _, Zs) =>
    Zs = [].
intersection([X|Xs], Ys, Zs) =>
    (   memberchk(X, Ys)
    ->  Zs = [X|Rest],
        intersection(Xs, Ys, Rest)
    ;   intersection(Xs, Ys, Zs)
    ).

union([], Ys, Zs) =>
    Zs = Ys.
union([X|Xs], Ys, Zs) =>
    (   memberchk(X, Ys)
    ->  union(Xs, Ys, Zs)
    ;   Zs = [X|Rest],
        union(Xs, Ys, Rest)
    ).

subset([], _) =>
    true.
subset([X|Xs], Ys) =>
    memberchk(X, Ys),
    subset(Xs, Ys).

is_set(Xs) :-
    true,
    is_list(Xs),
    length(Xs, N),
    sort(Xs, Sorted),
    length(Sorted, N).

list_to_set(Xs, Set) :-
    must_be(list, Xs),
    number_list(Xs, 1, Numbered),
    sort(1, @=<, Numbered, ByElement),
    remove_dup_keys(ByElement, Once),
    sort(2, @=<, Once, ByPlace),
    set_elements(ByPlace, Set).

number_list([], _, []).
number_list([X|Xs], N, [X-N|Ys]) :-
    M is N+1,
    number_list(Xs, M, Ys).

remove_dup_keys([], []).
remove_dup_keys([P|Ps], [P|Qs]) :-
    P = X-_,
    remove_same_key(Ps, X, Rest),
    remove_dup_keys(Rest, Qs).

remove_same_key([Y-_|Ps], X, Rest) :-
    Y == X, !,
    remove_same_key(Ps, X, Rest).
remove_same_key(Ps, _, Ps).

set_elements([], []).
set_elements([X-_|Ps], [X|Xs]) :-
    set_elements(Ps, Xs).

prefix([], _).
prefix([X|Xs], [X|Ys]) :-
    prefix(Xs, Ys).

nextto(X, Y, [X,Y|_]).
nextto(X, Y, [_|Zs]) :-
    nextto(X, Y, Zs).

same_length([], []).
same_length([_|Xs], [_|Ys]) :-
    same_length(Xs, Ys).

select(X, Xs, Y, Ys) :-
    select4_(Xs, X, Y, Ys).

select4_([X|Xs], X, Y, [Y|Xs]).
select4_([Z|Xs], X, Y, [Z|Ys]) :-
    select4_(Xs, X, Y, Ys).

selectchk(X, Xs, Y, Ys) :-
    select(X, Xs, Y, Ys), !.

flatten(Tree, Flat) :-
    flatten(Tree, [], Flat0),
    !,
    Flat = Flat0.

flatten(Tree, Tail, [Tree|Tail]) :-
    var(Tree),
    !.
flatten([], Tail, Tail) :-
    !.
flatten([Tree|Trees], Tail, Flat) :-
    !,
    flatten(Tree, Middle, Flat),
    flatten(Trees, Tail, Middle).
flatten(Leaf, Tail, [Leaf|Tail]).

clumped(Xs, Clumps) :-
    clump(Xs, Clumps).

clump([], []).
clump([X|Xs], [X-N|Clumps]) :-
    clump_(Xs, X, Rest, 1, N),
    clump(Rest, Clumps).

clump_([Y|Xs], X, Rest, N0, N) :-
    X == Y, !,
    N1 is N0+1,
    clump_(Xs, X, Rest, N1, N).
clump_(Xs, _, Xs, N, N).
