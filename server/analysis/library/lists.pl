%% Library predicates on lists that are written in Prolog in SWI-Prolog and most other systems. Costlens counts their
%% resolution steps by these clauses. A predicate of the same name and arity in the user's file comes before them.

append([], Ys, Ys).
append([X|Xs], Ys, [X|Zs]) :-
    append(Xs, Ys, Zs).

append(Lists, List) :-
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

reverse(Xs, Ys) :-
    reverse(Xs, [], Ys).

reverse([], Ys, Ys).
reverse([X|Xs], Rs, Ys) :-
    reverse(Xs, [X|Rs], Ys).

select(X, [Y|Ys], Zs) :-
    select3_(Ys, X, Y, Zs).

select3_(Ys, X, X, Ys).
select3_([Y2|Ys], X, Y, [Y|Zs]) :-
    select3_(Ys, X, Y2, Zs).

selectchk(X, Ys, Zs) :-
    select(X, Ys, Zs), !.

permutation(Xs, Ys) :-
    length(Xs, N),
    length(Ys, N),
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

sum_list(Xs, Sum) :-
    sum_list_(Xs, 0, Sum).

sum_list_([], Sum, Sum).
sum_list_([X|Xs], Sum0, Sum) :-
    Sum1 is Sum0+X,
    sum_list_(Xs, Sum1, Sum).

sumlist(Xs, Sum) :-
    sum_list(Xs, Sum).

max_list([X|Xs], Max) :-
    max_list_(Xs, X, Max).

max_list_([], Max, Max).
max_list_([X|Xs], Max0, Max) :-
    Max1 is max(X, Max0),
    max_list_(Xs, Max1, Max).

min_list([X|Xs], Min) :-
    min_list_(Xs, X, Min).

min_list_([], Min, Min).
min_list_([X|Xs], Min0, Min) :-
    Min1 is min(X, Min0),
    min_list_(Xs, Min1, Min).

numlist(Low, High, Xs) :-
    numlist_(Low, High, Xs).

numlist_(Low, High, []) :-
    Low > High, !.
numlist_(Low, High, [Low|Xs]) :-
    Next is Low+1,
    numlist_(Next, High, Xs).

delete([], _, []).
delete([X|Xs], Y, Zs) :-
    X \= Y, !,
    Zs = [X|Rest],
    delete(Xs, Y, Rest).
delete([_|Xs], Y, Zs) :-
    delete(Xs, Y, Zs).

subtract([], _, []).
subtract([X|Xs], Ys, Zs) :-
    memberchk(X, Ys), !,
    subtract(Xs, Ys, Zs).
subtract([X|Xs], Ys, [X|Zs]) :-
    subtract(Xs, Ys, Zs).

intersection([], _, []).
intersection([X|Xs], Ys, Zs) :-
    memberchk(X, Ys), !,
    Zs = [X|Rest],
    intersection(Xs, Ys, Rest).
intersection([_|Xs], Ys, Zs) :-
    intersection(Xs, Ys, Zs).

union([], Ys, Ys).
union([X|Xs], Ys, Zs) :-
    memberchk(X, Ys), !,
    union(Xs, Ys, Zs).
union([X|Xs], Ys, [X|Zs]) :-
    union(Xs, Ys, Zs).

prefix([], _).
prefix([X|Xs], [X|Ys]) :-
    prefix(Xs, Ys).
