%%% applies: in a findall/3
%! places(+Xs:list(atom), +X:atom, -Is) is det.
places(Xs, X, Is) :-
    findall(I,
            ( length(Xs, N),
              between(1, N, I),
              nth1(I, Xs, X)
            ),
            Is).
%%% to
%! places(+Xs:list(atom), +X:atom, -Is) is det.
places(Xs, X, Is) :-
    findall(I,
            ( nth1(I, Xs, X)
            ),
            Is).
%%% applies: elements with variables
%! pairs(+Xs:list, -P) is nondet.
pairs(Xs, I-X) :- length(Xs, N), between(1, N, I), nth1(I, Xs, X).
%%% to
%! pairs(+Xs:list, -P) is nondet.
pairs(Xs, I-X) :- nth1(I, Xs, X).
%%% forbidden: the index is known
%! at(+Xs:list(int), +I:int, -X) is semidet.
at(Xs, I, X) :- length(Xs, N), between(1, N, I), nth1(I, Xs, X).
%%% forbidden: the list may be partial
%! at(?Xs, -I, ?X) is nondet.
at(Xs, I, X) :- length(Xs, N), between(1, N, I), nth1(I, Xs, X).
%%% forbidden: the length is used
%! at(+Xs:list(int), -I, -X) is nondet.
at(Xs, I, X/N) :- length(Xs, N), between(1, N, I), nth1(I, Xs, X).
%%% forbidden: it begins at 0
%! at(+Xs:list(int), -I, -X) is nondet.
at(Xs, I, X) :- length(Xs, N), between(0, N, I), nth1(I, Xs, X).
%%% forbidden: another list
%! at(+Xs:list(int), +Ys:list(int), -I, -X) is nondet.
at(Xs, Ys, I, X) :- length(Xs, N), between(1, N, I), nth1(I, Ys, X).
