%%% applies: the test the other way round, goals behind it, other names
%! least(+Xs:list(int), -M:int) is semidet.
least([X], X).
least([A|As], L) :- least(As, B), A < B, L is A+0.
least([H|T], L) :- least(T, M), M =< H, L is M+0.
%%% to
%! least(+Xs:list(int), -M:int) is semidet.
least([X], X).
least([A|As], L) :-
    least(As, B),
    (   A < B
    ->  L is A+0
    ;   L is B+0
    ).
%%% applies: a standard order of anything
%! greatest(+Xs:list(atom), -M) is semidet.
greatest([X], X).
greatest([X|Xs], M) :- greatest(Xs, M), M @>= X.
greatest([X|Xs], X) :- greatest(Xs, M), M @< X.
%%% to
%! greatest(+Xs:list(atom), -M) is semidet.
greatest([X], X).
greatest([X|Xs], R) :-
    greatest(Xs, M),
    (   M @>= X
    ->  R = M
    ;   R = X
    ).
%%% forbidden: a float may be no number, of which neither test holds
%! max(+Xs:list(number), -M) is semidet.
max([X], X).
max([X|Xs], M) :- max(Xs, M), M >= X.
max([X|Xs], X) :- max(Xs, M), M < X.
%%% forbidden: both tests may hold
%! max(+Xs:list(int), -M) is nondet.
max([X], X).
max([X|Xs], M) :- max(Xs, M), M >= X.
max([X|Xs], X) :- max(Xs, M), M =< X.
%%% forbidden: the largest may be known before
%! max(+Xs:list(int), ?M) is semidet.
max([X], X).
max([X|Xs], M) :- max(Xs, M), M >= X.
max([X|Xs], X) :- max(Xs, M), M < X.
%%% applies: a cut behind the test
%! max(+Xs:list(int), -M) is semidet.
max([X], X).
max([X|Xs], M) :- max(Xs, M), M >= X, !.
max([X|Xs], X) :- max(Xs, M), M < X.
%%% to
%! max(+Xs:list(int), -M) is semidet.
max([X], X).
max([X|Xs], R) :-
    max(Xs, M),
    (   M >= X
    ->  !,
        R = M
    ;   R = X
    ).
%%% forbidden: other things are computed
%! max(+Xs:list(int), +Ys:list(int), -M) is semidet.
max([X], _, X).
max([X|Xs], Ys, M) :- max(Xs, Ys, M), M >= X.
max([X|Xs], Ys, X) :- max(Ys, Xs, M), M < X.
%%% forbidden: a value may be a float
:- regtype tree/1.
tree(e).
tree(n(L, R)) :- tree(L), tree(R).
:- pred depth(T, D) : (tree(T), var(D)).
depth(e, 0).
depth(n(L, R), D) :- depth(L, A), depth(R, B), A >= B, D is A+sqrt(A).
depth(n(L, R), D) :- depth(L, A), depth(R, B), A < B, D is B+1.
%%% applies: a cut between the test and the result
%! lg(+L:list(int), -M:int) is semidet.
lg([X], X).
lg([X|Xs], R) :- lg(Xs, M), M >= X, !, R = M.
lg([X|Xs], X) :- lg(Xs, M), M < X.
%%% to
%! lg(+L:list(int), -M:int) is semidet.
lg([X], X).
lg([X|Xs], R) :-
    lg(Xs, M),
    (   M >= X
    ->  !,
        R = M
    ;   R = X
    ).
