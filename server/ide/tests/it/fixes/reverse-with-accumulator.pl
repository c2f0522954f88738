%%% applies: clauses the other way round, a copy of append/3, something made of each element
%! tagged(+Xs:list(int), -Ys) is det.
tagged([X|Xs], Ys) :- tagged(Xs, Zs), conc(Zs, [t(X)], Ys).
tagged([], []).

conc([H|T], L, [H|R]) :- conc(T, L, R).
conc([], L, L).
%%% to
%! tagged(+Xs:list(int), -Ys) is det.
tagged(Xs, Ys) :- tagged(Xs, [], Ys).

tagged([X|Xs], Acc, Ys) :- tagged(Xs, [t(X)|Acc], Ys).
tagged([], Acc, Acc).

conc([H|T], L, [H|R]) :- conc(T, L, R).
conc([], L, L).
%%% applies: a further argument
%! keyed(+K:atom, +Xs:list(int), -Ys) is det.
keyed(_, [], []).
keyed(K, [X|Xs], Ys) :- keyed(K, Xs, Zs), append(Zs, [K-X], Ys).
%%% to
%! keyed(+K:atom, +Xs:list(int), -Ys) is det.
keyed(K, Xs, Ys) :- keyed(K, Xs, [], Ys).

keyed(_, [], Acc, Acc).
keyed(K, [X|Xs], Acc, Ys) :- keyed(K, Xs, [K-X|Acc], Ys).
%%% forbidden: the rest of the list is put in
%! keyed(+K:atom, +Xs:list(int), -Ys) is det.
keyed(_, [], []).
keyed(K, [X|Xs], Ys) :- keyed(K, Xs, Zs), append(Zs, [X-Zs], Ys).
%%% forbidden: the further argument changes
%! keyed(+K:atom, +Xs:list(int), -Ys) is det.
keyed(_, [], []).
keyed(K, [X|Xs], Ys) :- keyed(f(K), Xs, Zs), append(Zs, [K-X], Ys).
%%% forbidden: nothing is known of callers
rev([], []).
rev([X|Xs], Ys) :- rev(Xs, Zs), append(Zs, [X], Ys).
%%% forbidden: the result may be a partial list
%! rev(+Xs:list, ?Ys) is semidet.
rev([], []).
rev([X|Xs], Ys) :- rev(Xs, Zs), append(Zs, [X], Ys).
%%% applies: an element is tested on the way
%! rev(+Xs:list(int), -Ys) is semidet.
rev([], []).
rev([X|Xs], Ys) :- X > 0, rev(Xs, Zs), append(Zs, [X], Ys).
%%% to
%! rev(+Xs:list(int), -Ys) is semidet.
rev(Xs, Ys) :- rev(Xs, [], Ys).

rev([], Acc, Acc).
rev([X|Xs], Acc, Ys) :- X > 0, rev(Xs, [X|Acc], Ys).
%%% forbidden: a local predicate that is also called by its name
:- module(turn, [twice/2]).

%! twice(+Xs:list(int), -Ys) is det.
twice(Xs, Ys) :- rev(Xs, Zs), call(rev, Zs, Ys).

rev([], []).
rev([X|Xs], Ys) :- rev(Xs, Zs), append(Zs, [X], Ys).
%%% forbidden: a local predicate that is also called with a partial list
:- module(turn, [twice/2, other/1]).

%! twice(+Xs:list(int), -Ys) is det.
twice(Xs, Ys) :- rev(Xs, Ys).

%! other(-Ys) is nondet.
other(Ys) :- rev([1|_], Ys).

rev([], []).
rev([X|Xs], Ys) :- rev(Xs, Zs), append(Zs, [X], Ys).
%%% applies: a local predicate, all of whose callers pass lists
:- module(turn, [twice/2]).

%! twice(+Xs:list(int), -Ys) is det.
twice(Xs, Ys) :- rev(Xs, Zs), rev(Zs, Ys).

rev([], []).
rev([X|Xs], Ys) :- rev(Xs, Zs), append(Zs, [X], Ys).
%%% to
:- module(turn, [twice/2]).

%! twice(+Xs:list(int), -Ys) is det.
twice(Xs, Ys) :- rev(Xs, Zs), rev(Zs, Ys).

rev(Xs, Ys) :- rev(Xs, [], Ys).

rev([], Acc, Acc).
rev([X|Xs], Acc, Ys) :- rev(Xs, [X|Acc], Ys).
%%% applies: an if-then-else, a further argument
%! back(+K:atom, +Xs:list(int), -Ys) is det.
back(K, Xs, Ys) :-
    (   Xs = []
    ->  Ys = []
    ;   Xs = [X|T],
        back(K, T, Zs),     % the rest
        append(Zs, [K-X], Ys)
    ).
%%% to
%! back(+K:atom, +Xs:list(int), -Ys) is det.
back(K, Xs, Ys) :- back(K, Xs, [], Ys).

% the rest
back(K, Xs, Acc, Ys) :-
    (   Xs = []
    ->  Ys = Acc
    ;   Xs = [X|T],
        back(K, T, [K-X|Acc], Ys)
    ).
%%% applies: unifications in the bodies, a goal before the call
%! doubled(+Xs:list(int), -Ys) is det.
doubled(Xs, Ys) :- Xs = [], Ys = [].
doubled(Xs, Ys) :- Xs = [X|T], Y is X*2, One = [Y], doubled(T, Zs), append(Zs, One, Ys).
%%% to
%! doubled(+Xs:list(int), -Ys) is det.
doubled(Xs, Ys) :- doubled(Xs, [], Ys).

doubled(Xs, Acc, Acc) :- Xs = [].
doubled(Xs, Acc, Ys) :- Xs = [X|T], Y is X*2, doubled(T, [Y|Acc], Ys).
%%% applies: some elements, the call before the choice, the result first
%! odd(-Ys, +Xs:list(int)) is det.
odd([], []).
odd(Ys, [X|Xs]) :-
    odd(Zs, Xs),
    (   X mod 2 =:= 1
    ->  append(Zs, [X], Ys)
    ;   Ys = Zs
    ).
%%% to
%! odd(-Ys, +Xs:list(int)) is det.
odd(Ys, Xs) :- odd(Ys, Xs, []).

odd(Acc, [], Acc).
odd(Ys, [X|Xs], Acc) :-
    odd(Ys, Xs, Acc1),
    (   X mod 2 =:= 1
    ->  Acc1 = [X|Acc]
    ;   Acc1 = Acc
    ).
%%% forbidden: in one branch the list is put in front
%! back(+Xs:list(int), -Ys) is det.
back([], []).
back([X|Xs], Ys) :- back(Xs, Zs), ( X > 0 -> append(Zs, [X], Ys) ; append([X], Zs, Y0), length(Y0, N), Ys = [N|Y0] ).
%%% forbidden: the condition looks at the list
%! back(+Xs:list(int), -Ys) is det.
back([], []).
back([X|Xs], Ys) :- back(Xs, Zs), ( Zs = [] -> Ys = [X] ; append(Zs, [X], Ys) ).
%%% forbidden: the call is a condition
%! back(+Xs:list(int), -Ys) is semidet.
back([], []).
back([X|Xs], Ys) :- ( back(Xs, Zs) -> append(Zs, [X], Ys) ; Ys = [X] ).
