%%% applies: nothing is appended
%! all(+Xs:list(any), ?Ys) is semidet.
all(Xs, Ys) :- append(Xs, [], Ys).
%%% to
%! all(+Xs:list(any), ?Ys) is semidet.
all(Xs, Ys) :- Ys = Xs.
%%% applies: a copy of member/2, in a row
%! twice(+Xs:list(int), -N:int) is det.
twice(Xs, N) :-
    findall(E, in(E, Xs), Es),
    length(Es, N).

in(X, [X|_]).
in(X, [_|Xs]) :- in(X, Xs).
%%% to
%! twice(+Xs:list(int), -N:int) is det.
twice(Xs, N) :-
    Es = Xs,
    length(Es, N).

in(X, [X|_]).
in(X, [_|Xs]) :- in(X, Xs).
%%% forbidden: elements may have variables, which findall/3 renames
%! snapshot(+Xs:list(any), -Ys) is det.
snapshot(Xs, Ys) :- findall(X, member(X, Xs), Ys).
%%% forbidden: the copy is known before, and may be no list
%! snapshot(+Xs:list(int), +Ys:ground) is semidet.
snapshot(Xs, Ys) :- findall(X, member(X, Xs), Ys).
%%% forbidden: only those of a kind
%! snapshot(+Xs:list(int), -Ys) is det.
snapshot(Xs, Ys) :- findall(X-X, member(X-X, Xs), Ys).
%%% forbidden: the list may be partial
%! all(?Xs, ?Ys) is nondet.
all(Xs, Ys) :- append(Xs, [], Ys).
