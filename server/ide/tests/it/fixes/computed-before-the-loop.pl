%%% applies: a length, under another name in each clause
%! ranks(+Xs:list(int), +Ds:list(atom), -Ys) is det.
ranks([], _, []).
ranks([X|Xs], Ds, [Y|Ys]) :-
    X > 7,
    length(Ds, N),
    Y is X+N,
    ranks(Xs, Ds, Ys).
ranks([X|Xs], Ds, [Y|Ys]) :-
    X =< 7,
    length(Ds, M),
    Y is X*M,
    ranks(Xs, Ds, Ys).
%%% to
%! ranks(+Xs:list(int), +Ds:list(atom), -Ys) is det.
ranks(Xs, Ds, Ys) :- length(Ds, N), ranks(Xs, Ds, Ys, N).

ranks([], _, [], _).
ranks([X|Xs], Ds, [Y|Ys], N) :-
    X > 7,
    Y is X+N,
    ranks(Xs, Ds, Ys, N).
ranks([X|Xs], Ds, [Y|Ys], M) :-
    X =< 7,
    Y is X*M,
    ranks(Xs, Ds, Ys, M).
%%% applies: what it gives stands in the head
%! tagged(+Ds:list(int), +Xs:list(int), -Ys) is det.
tagged(_, [], []).
tagged(Ds, [X|Xs], [X-S|Ys]) :- sum_list(Ds, S), tagged(Ds, Xs, Ys).
%%% to
%! tagged(+Ds:list(int), +Xs:list(int), -Ys) is det.
tagged(Ds, Xs, Ys) :- sum_list(Ds, S), tagged(Ds, Xs, Ys, S).

tagged(_, [], [], _).
tagged(Ds, [X|Xs], [X-S|Ys], S) :- tagged(Ds, Xs, Ys, S).
%%% forbidden: the list changes
%! ranks(+Xs:list(int), +Ds:list(int), -Ys) is det.
ranks([], _, []).
ranks([X|Xs], Ds, [Y|Ys]) :- sum_list(Ds, N), Y is X+N, ranks(Xs, [X|Ds], Ys).
%%% forbidden: it may raise an exception that an empty list does not
%! ranks(+Xs:list(int), +Ds:list, -Ys) is det.
ranks([], _, []).
ranks([X|Xs], Ds, [Y|Ys]) :- sum_list(Ds, N), Y is X+N, ranks(Xs, Ds, Ys).
%%% forbidden: it fails where nothing else would
%! ranks(+Xs:list(int), +Ds:list(int), -Ys) is semidet.
ranks([], _, []).
ranks([X|Xs], Ds, [Y|Ys]) :- max_list(Ds, N), Y is X+N, ranks(Xs, Ds, Ys).
%%% forbidden: the result may be known, and is compared with what no list has
%! tagged(+Ds:list(int), +Xs:list(int), ?Ys) is semidet.
tagged(_, [], []).
tagged(Ds, [X|Xs], [X-N|Ys]) :- length(Ds, N), tagged(Ds, Xs, Ys).
%%% forbidden: the other branch does not know it
%! ranks(+Xs:list(int), +Ds:list(int), -Ys) is det.
ranks([], _, []).
ranks([X|Xs], Ds, [N-Y|Ys]) :- ( X > 7 -> sum_list(Ds, N), Y = N ; Y = X ), ranks(Xs, Ds, Ys).
%%% forbidden: a goal before it may end the first round in an exception
%! shifted(+Xs:list(int), +Ds:list(int), -Ys) is det.
shifted([], _, []).
shifted([X|Xs], Ds, [Y|Ys]) :- Z is 10 // X, sum_list(Ds, S), Y is Z+S, shifted(Xs, Ds, Ys).
%%% forbidden: the same, of succ/2
%! shifted(+Xs:list(int), +Ds:list(int), -Ys) is det.
shifted([], _, []).
shifted([X|Xs], Ds, [Y|Ys]) :- succ(X, Z), sum_list(Ds, S), Y is Z+S, shifted(Xs, Ds, Ys).
%%% applies: a goal before it that raises no exception
%! shifted(+Xs:list(int), +Ds:list(int), -Ys) is det.
shifted([], _, []).
shifted([X|Xs], Ds, [Y|Ys]) :- Z is 10*X, sum_list(Ds, S), Y is Z+S, shifted(Xs, Ds, Ys).
%%% to
%! shifted(+Xs:list(int), +Ds:list(int), -Ys) is det.
shifted(Xs, Ds, Ys) :- sum_list(Ds, S), shifted(Xs, Ds, Ys, S).

shifted([], _, [], _).
shifted([X|Xs], Ds, [Y|Ys], S) :- Z is 10*X, Y is Z+S, shifted(Xs, Ds, Ys, S).
