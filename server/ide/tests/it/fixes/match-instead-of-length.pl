%%% applies: tested the other way round, and not at once
%! some(+Xs:list(int), -Y) is semidet.
some(Xs, Y) :-
    length(Xs, N),
    Y = yes, % so far
    1 < N.
%%% to
%! some(+Xs:list(int), -Y) is semidet.
some(Xs, Y) :-
    Y = yes, % so far
    Xs = [_,_|_].
%%% applies: in a loop, as a condition
%! tails(+Xs:list(int), -N:int) is det.
tails(Xs, N) :-
    (   length(Xs, L), L >= 1
    ->  Xs = [_|T], tails(T, M), N is M+1
    ;   N = 0
    ).
%%% to
%! tails(+Xs:list(int), -N:int) is det.
tails(Xs, N) :-
    (   Xs = [_|_]
    ->  Xs = [_|T], tails(T, M), N is M+1
    ;   N = 0
    ).
%%% applies: a copy of length/2 under another name, equal to nothing
%! none(+Xs:list(int)) is semidet.
none(Things) :- count(Things, K), K =:= 0.

%! count(+Xs:list(int), -N:int) is det.
count([], 0).
count([_|T], K) :- count(T, K0), K is K0+1.
%%% to
%! none(+Xs:list(int)) is semidet.
none(Things) :- Things = [].

%! count(+Xs:list(int), -N:int) is det.
count([], 0).
count([_|T], K) :- count(T, K0), K is K0+1.
%%% applies: a constant
%! pair(+Xs:list(int)) is semidet.
pair(Xs) :- length(Xs, 2).
%%% to
%! pair(+Xs:list(int)) is semidet.
pair(Xs) :- Xs = [_,_].
%%% applies: the test is a condition
%! total(+Queue:list(int), +Sum0:int, -Sum:int) is det.
total(Queue, Sum0, Sum) :-
    length(Queue, N),
    (   N >= 1
    ->  Queue = [Q|Qs],
        Sum1 is Sum0 + Q,
        total(Qs, Sum1, Sum)
    ;   Sum = Sum0
    ).
%%% to
%! total(+Queue:list(int), +Sum0:int, -Sum:int) is det.
total(Queue, Sum0, Sum) :-
    (   Queue = [_|_]
    ->  Queue = [Q|Qs],
        Sum1 is Sum0 + Q,
        total(Qs, Sum1, Sum)
    ;   Sum = Sum0
    ).
%%% applies: a comment stays
%! some(+Xs:list(int)) is semidet.
some(Xs) :-
    length(Xs, N) % as many as there are
    , N > 0.
%%% to
%! some(+Xs:list(int)) is semidet.
% as many as there are
some(Xs) :-
    Xs = [_|_].
%%% forbidden: the list may be partial
%! some(?Xs) is nondet.
some(Xs) :- length(Xs, N), N > 0.
%%% forbidden: nothing is known of callers
some(Xs) :- length(Xs, N), N > 0.
%%% forbidden: the length is used
%! some(+Xs:list(int), -N:int) is semidet.
some(Xs, N) :- length(Xs, N), N > 0.
%%% forbidden: the length is known before
%! some(+Xs:list(int), +N:int) is semidet.
some(Xs, N) :- length(Xs, N), N > 0.
%%% forbidden: it counts by two
%! none(+Xs:list(int)) is semidet.
none(Xs) :- count(Xs, K), K =:= 2.

%! count(+Xs:list(int), -N:int) is det.
count([], 0).
count([_|T], K) :- count(T, K0), K is K0+2.
%%% forbidden: a long pattern
%! some(+Xs:list(int)) is semidet.
some(Xs) :- length(Xs, N), N > 40.
%%% forbidden: the length is used behind the condition
%! total(+Queue:list(int), -Sum:int) is det.
total(Queue, Sum) :-
    length(Queue, N),
    (   N >= 1
    ->  Sum = N
    ;   Sum = 0
    ).
