%%% applies: in once/1, the test the other way round
%! psort(+Xs:list(int), -Ys) is semidet.
psort(Xs, Ys) :- once(( permutation(Xs, Ys), up(Ys) )).

up([X,Y|Zs]) :- Y >= X, up([Y|Zs]).
up([_]).
up([]).
%%% to
%! psort(+Xs:list(int), -Ys) is semidet.
psort(Xs, Ys) :- once(( msort(Xs, Ys) )).

up([X,Y|Zs]) :- Y >= X, up([Y|Zs]).
up([_]).
up([]).
%%% applies: as a condition, by the standard order
%! median(+Xs:list(int), -M) is det.
median(Xs, M) :-
    (   permutation(Xs, Ys),
        up(Ys)
    ->  M = Ys
    ;   M = none
    ).

up([]).
up([_]).
up([X,Y|Zs]) :- X @=< Y, up([Y|Zs]).
%%% to
%! median(+Xs:list(int), -M) is det.
median(Xs, M) :-
    (   msort(Xs, Ys)
    ->  M = Ys
    ;   M = none
    ).

up([]).
up([_]).
up([X,Y|Zs]) :- X @=< Y, up([Y|Zs]).
%%% forbidden: all solutions count
%! psort(+Xs:list(int), -Ys) is nondet.
psort(Xs, Ys) :- permutation(Xs, Ys), up(Ys).

up([]).
up([_]).
up([X,Y|Zs]) :- X =< Y, up([Y|Zs]).
%%% forbidden: floats
%! psort(+Xs:list(number), -Ys) is semidet.
psort(Xs, Ys) :- permutation(Xs, Ys), up(Ys), !.

up([]).
up([_]).
up([X,Y|Zs]) :- X =< Y, up([Y|Zs]).
%%% forbidden: the permutation may be known
%! psort(+Xs:list(int), ?Ys) is semidet.
psort(Xs, Ys) :- permutation(Xs, Ys), up(Ys), !.

up([]).
up([_]).
up([X,Y|Zs]) :- X =< Y, up([Y|Zs]).
%%% forbidden: equal neighbours are not in order
%! psort(+Xs:list(int), -Ys) is semidet.
psort(Xs, Ys) :- permutation(Xs, Ys), up(Ys), !.

up([]).
up([_]).
up([X,Y|Zs]) :- X < Y, up([Y|Zs]).
%%% applies: permutations and an order of the program's own
%! sorted(+Xs:list(int), -Ys) is semidet.
sorted(Xs, Ys) :- perm(Xs, Ys), up(Ys), !.

perm([], []).
perm(Xs, [Y|Ys]) :- pick(Y, Xs, Rest), perm(Rest, Ys).

pick(X, [X|Xs], Xs).
pick(X, [Y|Xs], [Y|Ys]) :- pick(X, Xs, Ys).

up([]).
up([X|Xs]) :- up(Xs, X).

up([], _).
up([Y|Ys], X) :- X =< Y, up(Ys, Y).
%%% to
%! sorted(+Xs:list(int), -Ys) is semidet.
sorted(Xs, Ys) :- msort(Xs, Ys), !.

perm([], []).
perm(Xs, [Y|Ys]) :- pick(Y, Xs, Rest), perm(Rest, Ys).

pick(X, [X|Xs], Xs).
pick(X, [Y|Xs], [Y|Ys]) :- pick(X, Xs, Ys).

up([]).
up([X|Xs]) :- up(Xs, X).

up([], _).
up([Y|Ys], X) :- X =< Y, up(Ys, Y).
%%% forbidden: an own selection that leaves elements out
%! sorted(+Xs:list(int), -Ys) is semidet.
sorted(Xs, Ys) :- perm(Xs, Ys), up(Ys), !.

perm([], []).
perm(Xs, [Y|Ys]) :- pick(Y, Xs, Rest), perm(Rest, Ys).

pick(X, [X|Xs], Xs) :- !.
pick(X, [Y|Xs], [Y|Ys]) :- pick(X, Xs, Ys).

up([]).
up([_]).
up([X,Y|Xs]) :- X =< Y, up([Y|Xs]).
