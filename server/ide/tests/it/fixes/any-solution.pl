%%% applies: there is none, of a disjunction
%! idle(+Xs:list(atom), +Ys:list(atom)) is semidet.
idle(Xs, Ys) :- findall(X, ( member(X, Xs) ; member(X, Ys) ), L), L = [].
%%% to
%! idle(+Xs:list(atom), +Ys:list(atom)) is semidet.
idle(Xs, Ys) :- \+ ( member(X, Xs) ; member(X, Ys) ).
%%% applies: a cell is matched, and the goal has a variable of the clause
%! used(+X:atom, +Xs:list(atom)) is semidet.
used(X, Xs) :-
    findall(x, member(X, Xs), L),
    L = [_|_].
%%% to
%! used(+X:atom, +Xs:list(atom)) is semidet.
used(X, Xs) :-
    \+ \+ member(X, Xs).
%%% forbidden: the solutions are used
%! used(+Xs:list(atom), -L) is semidet.
used(Xs, L) :- findall(X, member(X, Xs), L), L \== [].
%%% forbidden: a later solution may throw
%! used(+Xs:list(any)) is semidet.
used(Xs) :- findall(Y, ( member(X, Xs), Y is X+1 ), L), L \== [].
%%% forbidden: the first solution is looked at
%! used(+Xs:list(atom)) is semidet.
used(Xs) :- findall(X, member(X, Xs), L), L = [a|_].
%%% forbidden: solutions write
%! used(+Xs:list(atom)) is semidet.
used(Xs) :- findall(X, ( member(X, Xs), write(X) ), L), L \== [].
