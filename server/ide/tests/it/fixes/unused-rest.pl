%%% applies: an index from 0, elements with variables
%! elements(+Xs:list, ?X) is nondet.
elements(Xs, X) :- nth0(_Index, Xs, X), !.
%%% to
%! elements(+Xs:list, ?X) is nondet.
elements(Xs, X) :- member(X, Xs), !.
%%% applies: the rest without an element
%! has(+Xs:list(int), +X:int) is semidet.
has(Xs, X) :- selectchk(X, Xs, _).
%%% to
%! has(+Xs:list(int), +X:int) is semidet.
has(Xs, X) :- memberchk(X, Xs).
%%% forbidden: the index is used
%! at(+Xs:list(int), -I, -X) is nondet.
at(Xs, I, X) :- nth1(I, Xs, X).
%%% forbidden: the rest is used
%! without(+Xs:list(int), +X:int, -Ys) is semidet.
without(Xs, X, Ys) :- selectchk(X, Xs, Ys).
%%% forbidden: the index is written
%! second(+Xs:list(int), -X) is semidet.
second(Xs, X) :- nth1(2, Xs, X).
%%% forbidden: another predicate of that name
%! at(+Xs:list(int), -X) is nondet.
at(Xs, X) :- nth1(_, Xs, X).

nth1(1, [X,X|_], X).
nth1(N, [_|Xs], X) :- nth1(M, Xs, X), N is M+1.
%%% forbidden: a caller passes what is no list, of which selectchk/3 fails
%! has(+Xs:list(int), +X:int) is semidet.
has(Xs, X) :- selectchk(X, Xs, _).

none :- has(foo, 1).
%%% forbidden: nothing says that it is a list
%! has(+Xs, +X:int) is semidet.
has(Xs, X) :- selectchk(X, Xs, _).
%%% applies: the part before an element is not used
%! each(+Xs:list(int), -X) is nondet.
each(Xs, X) :- append(_, [X|_], Xs), X > 3.
%%% to
%! each(+Xs:list(int), -X) is nondet.
each(Xs, X) :- member(X, Xs), X > 3.
%%% applies: the part before an element is not used, and one is enough
%! has(+Xs:list(int), +X:int) is semidet.
has(Xs, X) :- append(_, [X|_], Xs), !.
%%% to
%! has(+Xs:list(int), +X:int) is semidet.
has(Xs, X) :- memberchk(X, Xs), !.
%%% applies: what is left is not used
%! has(+Xs:list(int), +X:int) is semidet.
has(Xs, X) :- \+ \+ select(X, Xs, _).
%%% to
%! has(+Xs:list(int), +X:int) is semidet.
has(Xs, X) :- \+ \+ memberchk(X, Xs).
%%% forbidden: what is left is used
%! taken(+Xs:list(int), -X, -Ys) is nondet.
taken(Xs, X, Ys) :- select(X, Xs, Ys).
%%% forbidden: the part behind it is used
%! after(+Xs:list(int), +X:int, -Ys) is nondet.
after(Xs, X, Ys) :- append(_, [X|Ys], Xs).
%%% forbidden: nothing says that it is a list
each(Xs, X) :- append(_, [X|_], Xs).
