%%% applies: a length, with goals between
%! share(+Xs:list(int), -P) is det.
share(Xs, P) :-
    length(Xs, N),
    A is N//2,
    P = A/M,
    length(Xs, M).
%%% to
%! share(+Xs:list(int), -P) is det.
share(Xs, P) :-
    length(Xs, N),
    A is N//2,
    P = A/M,
    M = N.
%%% applies: a predicate of the program, in a condition
%! spread(+Xs:list(int), -D) is det.
spread(Xs, D) :-
    (   least(Xs, A),
        A > 0,
        least(Xs, B)
    ->  D = A-B
    ;   D = none
    ).

%! least(+Xs:list(int), -M:int) is semidet.
least([X], X).
least([X,Y|Xs], M) :- least([Y|Xs], N), M is min(X, N).
%%% to
%! spread(+Xs:list(int), -D) is det.
spread(Xs, D) :-
    (   least(Xs, A),
        A > 0,
        B = A
    ->  D = A-B
    ;   D = none
    ).

%! least(+Xs:list(int), -M:int) is semidet.
least([X], X).
least([X,Y|Xs], M) :- least([Y|Xs], N), M is min(X, N).
%%% forbidden: it has several solutions
%! pair(+Xs:list(int), -P) is nondet.
pair(Xs, X-Y) :- some(Xs, X), some(Xs, Y).

some([X|_], X).
some([_|Xs], X) :- some(Xs, X).
%%% forbidden: chance
%! dice(+N:int, -P) is semidet.
dice(N, X-Y) :- throw_dice(N, X), throw_dice(N, Y).

throw_dice(N, X) :- numlist(1, N, Xs), sum_list(Xs, S), X is S+random(6).
%%% forbidden: time
%! timed(+Xs:list(int), -T) is det.
timed(Xs, T) :- statistics(inferences, A), sum_list(Xs, _), statistics(inferences, B), T is B-A.
%%% forbidden: new variables each time
%! fresh(+Xs:list(int), -P) is det.
fresh(Xs, Ys-Zs) :- blank(Xs, Ys), blank(Xs, Zs).

blank([], []).
blank([_|Xs], [_|Ys]) :- blank(Xs, Ys).
%%% forbidden: the second one may be known
%! share(+Xs:list(int), ?M) is semidet.
share(Xs, M) :- sum_list(Xs, N), N > 20, sum_list(Xs, M).
%%% forbidden: the list may be partial
%! share(?Xs, -P) is nondet.
share(Xs, N-M) :- length(Xs, N), length(Xs, M).
