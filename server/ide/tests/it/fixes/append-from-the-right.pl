%%% applies: a copy of append/3, lists that are written
%! quoted(+Xs:list(int), -Ys) is det.
quoted(Xs, Ys) :- joined([1|Xs], Xs, Zs), joined(Zs, [2], Ys).

joined([], L, L).
joined([H|T], L, [H|R]) :- joined(T, L, R).
%%% to
%! quoted(+Xs:list(int), -Ys) is det.
quoted(Xs, Ys) :- joined(Xs, [2], Zs), joined([1|Xs], Zs, Ys).

joined([], L, L).
joined([H|T], L, [H|R]) :- joined(T, L, R).
%%% applies: an open end
%! page(+A:list(int), +B:list(int), -C, -D) is det.
page(A, B, C, D) :-
    append(A, B, AB),
    append(AB, C, D).
%%% to
%! page(+A:list(int), +B:list(int), -C, -D) is det.
page(A, B, C, D) :-
    append(B, C, AB),
    append(A, AB, D).
%%% forbidden: the front is used again
%! page(+A:list(int), +B:list(int), +C:list(int), -D, -AB) is det.
page(A, B, C, D, AB) :- append(A, B, AB), append(AB, C, D).
%%% forbidden: the lists are what is looked for
%! page(-A, -B, +C:list(int), +D:list(int)) is nondet.
page(A, B, C, D) :- append(A, B, AB), append(AB, C, D).
%%% forbidden: the second list may be partial
%! page(+A:list(int), ?B, +C:list(int), -D) is nondet.
page(A, B, C, D) :- append(A, B, AB), append(AB, C, D).
%%% forbidden: it is joined behind, not in front
%! page(+A:list(int), +B:list(int), +C:list(int), -D) is det.
page(A, B, C, D) :- append(A, B, AB), append(C, AB, D).
%%% applies: a goal between, a copy with other places of arguments
%! page(+A:list(int), +B:list(int), +K:atom, -P) is det.
page(A, B, K, P) :-
    joined(AB, A, B),
    foot(K, C),         % the end
    joined(P, AB, C).

joined(L, [], L).
joined([X|Ys], [X|Xs], L) :- joined(Ys, Xs, L).

foot(K, [end,K]).
%%% to
%! page(+A:list(int), +B:list(int), +K:atom, -P) is det.
page(A, B, K, P) :-
    foot(K, C),         % the end
    joined(AB, B, C), joined(P, A, AB).

joined(L, [], L).
joined([X|Ys], [X|Xs], L) :- joined(Ys, Xs, L).

foot(K, [end,K]).
%%% not yet: a goal between that may have two solutions: a step more where the first list is empty
%! page(+A:list(int), +B:list(int), ?K, -P) is nondet.
page(A, B, K, P) :-
    joined(AB, A, B),
    foot(K, C),         % the end
    joined(P, AB, C).

joined(L, [], L).
joined([X|Ys], [X|Xs], L) :- joined(Ys, Xs, L).

foot(short, [1]).
foot(long, [1,2,3]).
%%% forbidden: the goal between looks at what is joined first
%! page(+A:list(int), +B:list(int), -N, -P) is det.
page(A, B, N, P) :- append(A, B, AB), length(AB, N), append(AB, [N], P).
