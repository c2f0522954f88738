%%% applies: a lambda, and a goal behind it
%! text(+Lines:list(list(int)), -Codes) is semidet.
text(Lines, Codes) :-
    foldl([Line, Sofar, More]>>append(Sofar, Line, More), Lines, [], Codes),
    Codes \== [].
%%% to
%! text(+Lines:list(list(int)), -Codes) is semidet.
text(Lines, Codes) :-
    append(Lines, Codes),
    Codes \== [].
%%% applies: a copy of append/3, other names
%! all(+Xss:list(list(atom)), -Xs) is det.
all(Xss, Xs) :- foldl(more, Xss, [], Xs).

more(As, Bs, Cs) :- conc(Bs, As, Cs).

conc([X|Xs], Ys, [X|Zs]) :- conc(Xs, Ys, Zs).
conc([], Ys, Ys).
%%% to
%! all(+Xss:list(list(atom)), -Xs) is det.
all(Xss, Xs) :- append(Xss, Xs).

more(As, Bs, Cs) :- conc(Bs, As, Cs).

conc([X|Xs], Ys, [X|Zs]) :- conc(Xs, Ys, Zs).
conc([], Ys, Ys).
%%% forbidden: the list may be partial
%! text(?Lines, -Codes) is nondet.
text(Lines, Codes) :- foldl([L, S, M]>>append(S, L, M), Lines, [], Codes).
%%% forbidden: its elements may be no lists
%! text(+Lines:list, -Codes) is nondet.
text(Lines, Codes) :- foldl([L, S, M]>>append(S, L, M), Lines, [], Codes).
%%% forbidden: something stands before all lists
%! text(+Lines:list(list(int)), -Codes) is det.
text(Lines, Codes) :- foldl([L, S, M]>>append(S, L, M), Lines, [0], Codes).
%%% forbidden: the other way round
%! text(+Lines:list(list(int)), -Codes) is det.
text(Lines, Codes) :- foldl([L, S, M]>>append(L, S, M), Lines, [], Codes).
%%% forbidden: it puts something between
%! text(+Lines:list(list(int)), -Codes) is det.
text(Lines, Codes) :- foldl(add, Lines, [], Codes).

add(L, S, M) :- append(S, [0|L], M).
