%%% applies: in forall/2, whose generator has no numbers where the bounds cross
%! large(+N:int, +M:int) is semidet.
large(N, M) :-
    numlist(N, M, Ns),
    forall(member(X, Ns), X*X > 9).
%%% to
%! large(+N:int, +M:int) is semidet.
large(N, M) :-
    N =< M,
    forall(between(N, M, X), X*X > 9).
%%% applies: in findall/3, with a copy of member/2
%! squares(+N:int, -Ys) is semidet.
squares(N, Ys) :- numlist(0, N, Xs), findall(Y, ( in(X, Xs), Y is X*X ), Ys).

in(X, [X|_]).
in(X, [_|Xs]) :- in(X, Xs).
%%% to
%! squares(+N:int, -Ys) is semidet.
squares(N, Ys) :- 0 =< N, findall(Y, ( between(0, N, X), Y is X*X ), Ys).

in(X, [X|_]).
in(X, [_|Xs]) :- in(X, Xs).
%%% forbidden: what is looked for may be known, and no integer
%! number(+N:int, ?X) is nondet.
number(N, X) :- numlist(1, N, Ns), member(X, Ns).
%%% forbidden: a bound may be no integer
%! number(+N, -X) is nondet.
number(N, X) :- numlist(1, N, Ns), member(X, Ns).
%%% forbidden: the list is used
%! number(+N:int, -X, -K) is nondet.
number(N, X, K) :- numlist(1, N, Ns), member(X, Ns), length(Ns, K).
%%% forbidden: only some of them
%! number(+N:int, -X) is nondet.
number(N, X) :- numlist(1, N, Ns), member(X-_, Ns).
%%% forbidden: it is bound by a condition
%! number(+N:int, +M:number) is semidet.
number(N, M) :- numlist(1, N, Ns), ( X = M, X > 0 -> member(X, Ns) ; true ).
