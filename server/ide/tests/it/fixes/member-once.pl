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
%%% applies: a list that is written, of which the rest is a list
%! has(+X:int, +Xs:list(int)) is semidet.
has(X, Xs) :- once(member(X, [0, 1|Xs])).
%%% to
%! has(+X:int, +Xs:list(int)) is semidet.
has(X, Xs) :- memberchk(X, [0, 1|Xs]).
%%% applies: a goal before it gives a list
%! has(+X:int, +Xs:list(int)) is semidet.
has(X, Xs) :- findall(Y, (member(Y, Xs), Y > 0), Ys), once(member(X, Ys)).
%%% to
%! has(+X:int, +Xs:list(int)) is semidet.
has(X, Xs) :- findall(Y, (member(Y, Xs), Y > 0), Ys), memberchk(X, Ys).
%%% forbidden: a caller passes what is no list, of which member/2 fails
%! has(+X:atom, +L:list(atom)) is semidet.
has(X, L) :- once(member(X, L)).

none :- has(a, foo).
%%% forbidden: the same, of a list with another end
%! has(+X:atom, +L:list(atom)) is semidet.
has(X, L) :- once(member(X, L)).

none :- has(a, [b|foo]).
%%% forbidden: the same, in a closure, of a string
%! has(+X:atom, +L:list(atom)) is semidet.
has(X, L) :- once(member(X, L)).

none :- maplist(has(a), ["x"]).
%%% forbidden: nothing says that it is a list
has(X, L) :- member(X, L), !.
%%% forbidden: what is declared is no list
%! has(+X, +L) is semidet.
has(X, L) :- member(X, L), !.
%%% forbidden: the rest of a list may be anything
%! has(+X:atom, +L) is semidet.
has(X, L) :- \+ member(X, [a|L]).
%%% forbidden: an expansion of goals makes something else of memberchk/2
goal_expansion(memberchk(X, L), ord_memberchk(X, L)).

%! has(+X:int, +L:list(int)) is semidet.
has(X, L) :- once(member(X, L)).
%%% forbidden: the same, of all goals
user:goal_expansion(G, H) :- changed(G, H).

changed(memberchk(X, L), ord_memberchk(X, L)).

%! has(+X:int, +L:list(int)) is semidet.
has(X, L) :- once(member(X, L)).
%%% forbidden: clauses of memberchk/2 are added
:- assertz(memberchk(_, _)).

%! has(+X:int, +L:list(int)) is semidet.
has(X, L) :- once(member(X, L)).
%%% forbidden: the same while the program runs
boot :- assertz(memberchk(_, _)).

%! has(+X:int, +L:list(int)) is semidet.
has(X, L) :- once(member(X, L)).
%%% forbidden: the same, of a list of clauses
:- forall(member(C, [memberchk(_, _)]), assertz(C)).

%! has(+X:int, +L:list(int)) is semidet.
has(X, L) :- once(member(X, L)).
%%% forbidden: the same, of a clause that is made
boot :- H =.. [memberchk, _, _], assertz(H).

%! has(+X:int, +L:list(int)) is semidet.
has(X, L) :- once(member(X, L)).
%%% forbidden: an expansion of terms makes clauses of memberchk/2
term_expansion(x, memberchk(_, _)).

x.

%! has(+X:int, +L:list(int)) is semidet.
has(X, L) :- once(member(X, L)).
%%% applies: clauses of other predicates are added
:- dynamic seen/1.
boot(X) :- assertz(seen(X)).

%! has(+X:int, +L:list(int)) is semidet.
has(X, L) :- once(member(X, L)).
%%% to
:- dynamic seen/1.
boot(X) :- assertz(seen(X)).

%! has(+X:int, +L:list(int)) is semidet.
has(X, L) :- memberchk(X, L).
%%% applies: a goal before it gives a list, and nothing is known of the calls
has(K, X) :- findall(Y, known(K, Y), Ys), member(X, Ys), !.

known(K, Y) :- Y = K.
%%% to
has(K, X) :- findall(Y, known(K, Y), Ys), memberchk(X, Ys), !.

known(K, Y) :- Y = K.
%%% applies: the list is written, and the predicate has no bound
kind(X, K) :- ( member(X, [a, b, c]) -> K = letter ; kind(X, K) ).
%%% to
kind(X, K) :- ( memberchk(X, [a, b, c]) -> K = letter ; kind(X, K) ).
%%% applies: a test before it, in a condition
has(L, X, R) :- ( is_list(L), member(X, L) -> R = yes ; R = no ).
%%% to
has(L, X, R) :- ( is_list(L), memberchk(X, L) -> R = yes ; R = no ).
%%% applies: the rest of a list that another goal gives
has(L, X) :- sort(L, S), S = [_|Rest], \+ member(X, Rest).
%%% to
has(L, X) :- sort(L, S), S = [_|Rest], \+ memberchk(X, Rest).
%%% forbidden: the goal that gives a list has failed
has(L, X, R) :- ( is_list(L) -> R = list ; member(X, L) -> R = yes ; R = no ).
%%% forbidden: the list is given inside a negation
has(L, X) :- \+ is_list(L), member(X, L), !.
%%% forbidden: the whole of append/3 ends in whatever the second argument ends in
has(L, R, X) :- append(L, R, W), member(X, W), !.
%%% forbidden: the program's own sort/2 gives anything
:- redefine_system_predicate(sort(_, _)).
sort(X, X).
has(L, X) :- sort(L, S), member(X, S), !.
%%% forbidden: a callee changes a cell in place
has(L, X) :- sort(L, S), spoil(S), member(X, S), !.

spoil(S) :- setarg(2, S, foo).
%%% forbidden: a cell changes in place
has(L, X) :- sort(L, S), setarg(2, S, foo), member(X, S), !.
