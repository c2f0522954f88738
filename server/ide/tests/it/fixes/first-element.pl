%%% applies: the first element
%! newest(+Versions:list, -V) is semidet.
newest(Versions, V) :- nth0(0, Versions, V).
%%% to
%! newest(+Versions:list, -V) is semidet.
newest(Versions, V) :- Versions = [V|_].
%%% applies: the first element, from 1, of a list of which nothing is known
first(L, X) :- nth1(1, L, X), X \== none.
%%% to
first(L, X) :- L = [X|_], X \== none.
%%% applies: the second element, in a condition
%! second(+L:list(int), -X) is det.
second(L, X) :- ( nth0(1, L, Y) -> X = Y ; X = none ).
%%% to
%! second(+L:list(int), -X) is det.
second(L, X) :- ( L = [_,Y|_] -> X = Y ; X = none ).
%%% applies: the second element, from 1
%! second(+L:list(int), -X) is semidet.
second(L, X) :- nth1(2, L, X).
%%% to
%! second(+L:list(int), -X) is semidet.
second(L, X) :- L = [_,X|_].
%%% forbidden: the index is computed
%! at(+I:int, +L:list(int), -X) is semidet.
at(I, L, X) :- nth0(I, L, X).
%%% forbidden: there is no element of this index
%! none(+L:list(int), -X) is semidet.
none(L, X) :- nth1(0, L, X).
%%% forbidden: a pattern of many cells is harder to read
%! fourth(+L:list(int), -X) is semidet.
fourth(L, X) :- nth0(3, L, X).
%%% forbidden: the program's own predicate
%! first(+L:list(int), -X) is semidet.
first(L, X) :- nth0(0, L, X).

nth0(_, [_, X|_], X).
