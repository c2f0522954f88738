%%% applies: in two goals
%! newest(+Versions:list(int), -V) is semidet.
newest(Versions, V) :-
    reverse(Versions, Reversed),
    Reversed = [V|_].
%%% to
%! newest(+Versions:list(int), -V) is semidet.
newest(Versions, V) :-
    last(Versions, V).
%%% applies: the end of an append, with a pattern
%! ends(+Xs:list(any), -B) is semidet.
ends(Xs, B) :- append(_, [a-B], Xs).
%%% to
%! ends(+Xs:list(any), -B) is semidet.
ends(Xs, B) :- last(Xs, a-B).
%%% forbidden: the rest is used
%! newest(+Versions:list(int), -V, -Vs) is semidet.
newest(Versions, V, Vs) :- reverse(Versions, [V|Vs]).
%%% forbidden: the list may be partial
%! newest(?Versions, -V) is nondet.
newest(Versions, V) :- reverse(Versions, [V|_]).
%%% forbidden: the front is used
%! newest(+Versions:list(int), -Front, -V) is semidet.
newest(Versions, Front, V) :- append(Front, [V], Versions).
%%% forbidden: the last two
%! newest(+Versions:list(int), -V) is semidet.
newest(Versions, V) :- append(_, [V,_], Versions).
