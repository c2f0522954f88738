%%% applies: a negation, and what is looked for has variables
%! missing(?X, +Xs:list(any)) is semidet.
missing(X, Xs) :- \+ member(f(X, _), Xs).
%%% to
%! missing(?X, +Xs:list(any)) is semidet.
missing(X, Xs) :- \+ memberchk(f(X, _), Xs).
%%% applies: a copy of member/2 before a cut
%! first(+Xs:list(int), -Y) is det.
first(Xs, Y) :- Y = found, in(7, Xs), !.
first(_, none).

in(Thing, [Thing|_]).
in(Thing, [_|Things]) :- in(Thing, Things).
%%% to
%! first(+Xs:list(int), -Y) is det.
first(Xs, Y) :- Y = found, memberchk(7, Xs), !.
first(_, none).

in(Thing, [Thing|_]).
in(Thing, [_|Things]) :- in(Thing, Things).
%%% forbidden: each element is wanted
%! each(+Xs:list(int), -X:int) is nondet.
each(Xs, X) :- member(X, Xs).
%%% forbidden: the condition goes on behind it
%! large(+Xs:list(int), -Y) is det.
large(Xs, Y) :- ( member(X, Xs), X > 3 -> Y = yes ; Y = no ).
%%% forbidden: the cut comes later
%! large(+Xs:list(int)) is semidet.
large(Xs) :- member(X, Xs), X > 3, !.
%%% forbidden: another member
%! kind(+X:int, +Xs:list(int), -K) is det.
kind(X, Xs, K) :- ( member(X, Xs) -> K = old ; K = new ).

member(X, [X,_|_]).
member(X, [_|Xs]) :- member(X, Xs).
%%% forbidden: memberchk/2 is the program's own
%! kind(+X:int, +Xs:list(int), -K) is det.
kind(X, Xs, K) :- ( member(X, Xs) -> K = old ; K = new ).

memberchk(_, _).
%%% forbidden: clauses are added to a library predicate
%! learn(+X:int) is det.
learn(X) :- assertz((member(Y, [Y,Y|_]) :- Y > X)).

%! has(+X:int, +Xs:list(int), -R) is det.
has(X, Xs, R) :- ( member(X, Xs) -> R = in ; R = out ).
%%% forbidden: a file that is not known may define it
:- use_module(library(lists_of_our_own)).

%! has(+X:int, +Xs:list(int), -R) is det.
has(X, Xs, R) :- ( member(X, Xs) -> R = in ; R = out ).
