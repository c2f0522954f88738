%%% match-instead-of-length: at least two, by a copy
%! some(+Xs:list(atom)) is semidet.
some(Xs) :- len(Xs, N), N >= 2.

%! len(+Xs:list, -N:int) is det.
len([], 0).
len([_|T], N) :- len(T, M), N is 1+M.
%%% match-instead-of-length: none, in a negation
%! busy(+Jobs:list(atom)) is semidet.
busy(Jobs) :- \+ ( length(Jobs, N), N =:= 0 ).
%%% match-instead-of-length: a loop that measures what is left
%! walk(+Xs:list(int), -S:int) is det.
walk(Xs, S) :-
    (   length(Xs, N), N =\= 0
    ->  Xs = [X|T], walk(T, S0), S is S0+X
    ;   S = 0
    ).
%%% last-element: by append/3
%! newest(+Vs:list(int), -V) is semidet.
newest(Vs, V) :- append(_, [V], Vs).
%%% last-element: by reverse/2 and a match
%! newest(+Vs:list(int), -V, -W) is semidet.
newest(Vs, V, W) :-
    reverse(Vs, Back),
    Back = [V|_],
    W = seen(V).
%%% last-element: in a condition
%! newest(+Vs:list(int), -V) is det.
newest(Vs, V) :- ( reverse(Vs, [W|_]) -> V = W ; V = 0 ).
%%% member-once: before a cut
%! kind(+X:atom, +Xs:list(atom), -K) is det.
kind(X, Xs, K) :- member(X, Xs), !, K = old.
kind(_, _, new).
%%% member-once: in a negation inside of a loop
%! new(+Xs:list(atom), +Ys:list(atom), -Zs) is det.
new([], _, []).
new([X|Xs], Ys, Zs) :-
    (   \+ member(X, Ys)
    ->  Zs = [X|Zs0]
    ;   Zs = Zs0
    ),
    new(Xs, Ys, Zs0).
%%% member-once: a copy, in once/1
%! has(+X:atom, +Xs:list(atom)) is semidet.
has(X, Xs) :- once(in(X, Xs)).

in(X, [X|_]).
in(X, [_|Xs]) :- in(X, Xs).
%%% any-solution: none
%! clean(+Xs:list(int)) is semidet.
clean(Xs) :- findall(X, (member(X, Xs), X < 0), Bad), Bad = [].
%%% any-solution: some, in a condition
%! state(+Xs:list(int), -S) is det.
state(Xs, S) :-
    (   findall(B, (member(B, Xs), B > 9), Bs), Bs = [_|_]
    ->  S = hot
    ;   S = cold
    ).
%%% elements-with-index: a counter up to the length
%! at(+Xs:list(atom), ?X, -I) is nondet.
at(Xs, X, I) :-
    length(Xs, N),
    between(1, N, I),
    nth1(I, Xs, X).
%%% elements-with-index: in a findall/3
%! places(+Xs:list(atom), +X:atom, -Is) is det.
places(Xs, X, Is) :- findall(K, ( length(Xs, L), between(1, L, K), nth1(K, Xs, X) ), Is).
%%% member-of-both: two lists joined, all solutions
%! any(+As:list(int), +Bs:list(int), -Xs) is det.
any(As, Bs, Xs) :- findall(X, ( append(As, Bs, Cs), member(X, Cs), X > 3 ), Xs).
%%% member-of-both: a test
%! known(+X:atom, +As:list(atom), +Bs:list(atom)) is semidet.
known(X, As, Bs) :-
    append(As, Bs, All),
    memberchk(X, All).
%%% unused-rest: select/3
%! taken(+Xs:list(int), -X) is nondet.
taken(Xs, X) :- select(X, Xs, _), X > 2.
%%% unused-rest: nth1/3
%! taken(+Xs:list(int), -X) is nondet.
taken(Xs, X) :- nth1(_, Xs, X), X > 2.
%%% walk-instead-of-index: a sum, local to a module
:- module(total, [total/2]).

%! total(+Xs:list(int), -S:int) is det.
total(Xs, S) :- length(Xs, N), total(1, N, Xs, 0, S).

total(I, N, _, S, S) :- I > N.
total(I, N, Xs, S0, S) :-
    I =< N,
    nth1(I, Xs, X),
    S1 is S0+X,
    J is I+1,
    total(J, N, Xs, S1, S).
%%% walk-instead-of-index: from 0, if-then-else, in a file without module
%! largest(+Xs:list(int), -M:int) is semidet.
largest(Xs, M) :- length(Xs, N), largest(0, N, Xs, 0, M).

largest(I, N, Xs, M0, M) :-
    (   I >= N
    ->  M = M0
    ;   nth0(I, Xs, X),
        M1 is max(M0, X),
        I1 is I+1,
        largest(I1, N, Xs, M1, M)
    ).
%%% match-instead-of-length: an atom is no goal, whatever its name
%! state(+T:list(atom), -S) is semidet.
state(T, S) :- length(T, N), N >= 1, S = open.
%%% match-instead-of-length: a comment behind the goal
%! some(+L:list(int), -R) is semidet.
some(L, R) :-
    length(L, N),   % how many
    N > 0,
    R = yes.
%%% not yet any-solution: the list of solutions is compared where they are found: a step less for any number of them
%! none_above(+Xs:list(int), +K:int) is semidet.
none_above(Xs, K) :- findall(X, (member(X, Xs), X > K), []).
%%% not yet any-solution: some, where they are found
%! some_above(+Xs:list(int), +K:int) is semidet.
some_above(Xs, K) :- findall(X, (member(X, Xs), X > K), [_|_]).
