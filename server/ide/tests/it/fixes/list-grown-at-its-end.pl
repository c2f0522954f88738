%%% applies: other places of arguments, a copy of append/3, clauses the other way round
%! signs(-Signs, +Xs:list(int), +Sofar:list(atom)) is det.
signs(Signs, [X|Xs], Sofar) :-
    X > 7,
    conc(Sofar, [large], More),
    signs(Signs, Xs, More).
signs(Signs, [X|Xs], Sofar) :-
    X =< 7,
    conc(Sofar, [small], More),
    signs(Signs, Xs, More).
signs(Signs, [], Signs).

conc([], Ys, Ys).
conc([X|Xs], Ys, [X|Zs]) :- conc(Xs, Ys, Zs).
%%% to
%! signs(-Signs, +Xs:list(int), +Sofar:list(atom)) is det.
signs(List, B, Acc) :- signs(Items, B), conc(Acc, Items, List).

signs([large|Signs], [X|Xs]) :-
    X > 7,
    signs(Signs, Xs).
signs([small|Signs], [X|Xs]) :-
    X =< 7,
    signs(Signs, Xs).
signs([], []).

conc([], Ys, Ys).
conc([X|Xs], Ys, [X|Zs]) :- conc(Xs, Ys, Zs).
%%% applies: two elements at once, appended first
%! doubled(+Xs:list(any), +Acc:list(any), -Ys) is det.
doubled([], R, R).
doubled([X|Xs], A, R) :- append(A, [X, X], B), doubled(Xs, B, R).
%%% to
%! doubled(+Xs:list(any), +Acc:list(any), -Ys) is det.
doubled(A, Acc, List) :- doubled(A, Items), append(Acc, Items, List).

doubled([], []).
doubled([X|Xs], [X, X|R]) :- doubled(Xs, R).
%%% forbidden: the accumulator is looked at
%! large(+Xs:list(int), +Acc:list(int), -Ys) is det.
large([], R, R).
large([X|Xs], A, R) :- length(A, N), append(A, [X-N], B), large(Xs, B, R).
%%% forbidden: the accumulator may be a partial list
%! large(+Xs:list(int), ?Acc, -Ys) is nondet.
large([], R, R).
large([X|Xs], A, R) :- append(A, [X], B), large(Xs, B, R).
%%% forbidden: it grows in front
%! large(+Xs:list(int), +Acc:list(int), -Ys) is det.
large([], R, R).
large([X|Xs], A, R) :- append([X], A, B), large(Xs, B, R).
%%% forbidden: the result may be known
%! large(+Xs:list(int), +Acc:list(int), ?Ys) is semidet.
large([], R, R).
large([X|Xs], A, R) :- append(A, [X], B), large(Xs, B, R).
%%% forbidden: mostly nothing is appended, and the accumulator may be long
%! large(+Xs:list(int), +Acc:list(int), -Ys) is det.
large([], R, R).
large([X|Xs], A, R) :- X > 7, append(A, [X], B), large(Xs, B, R).
large([X|Xs], A, R) :- X =< 7, large(Xs, A, R).
%%% applies: whole lists
%! all(+Xss:list(list(int)), +Acc:list(int), -Ys) is det.
all([], Acc, Acc).
all([Xs|Xss], Acc, Ys) :- append(Acc, Xs, Acc1), all(Xss, Acc1, Ys).
%%% to
%! all(+Xss:list(list(int)), +Acc:list(int), -Ys) is det.
all(A, Acc, List) :- all(A, Items), append(Acc, Items, List).

all([], []).
all([Xs|Xss], Ys) :- append(Xs, Rest, Ys), all(Xss, Rest).
%%% forbidden: a list may be partial
%! all(+Xss:list, +Acc:list(int), -Ys) is nondet.
all([], Acc, Acc).
all([Xs|Xss], Acc, Ys) :- append(Acc, Xs, Acc1), all(Xss, Acc1, Ys).
%%% applies: branches, a predicate that appends one element
%! signs(+Xs:list(int), +Acc:list(atom), -Ys) is det.
signs([], Acc, Acc).
signs([X|Xs], Acc, Ys) :-
    (   X < 0
    ->  put(Acc, minus, Acc1)
    ;   put(Acc, plus, Acc1)
    ),
    signs(Xs, Acc1, Ys).

put(Xs, X, Ys) :- append(Xs, [X], Ys).
%%% to
%! signs(+Xs:list(int), +Acc:list(atom), -Ys) is det.
signs(A, Acc, List) :- signs(A, Items), append(Acc, Items, List).

signs([], []).
signs([X|Xs], Ys) :-
    (   X < 0
    ->  Ys = [minus|Rest]
    ;   Ys = [plus|Rest]
    ),
    signs(Xs, Rest).

put(Xs, X, Ys) :- append(Xs, [X], Ys).
%%% forbidden: a condition looks at the accumulator
%! signs(+Xs:list(int), +Acc:list(atom), -Ys) is det.
signs([], Acc, Acc).
signs([X|Xs], Acc, Ys) :-
    (   Acc = [minus|_]
    ->  append(Acc, [X], Acc1)
    ;   append(Acc, [plus], Acc1)
    ),
    signs(Xs, Acc1, Ys).
