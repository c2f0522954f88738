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
%%% applies: the test is a condition
%! mood(+Xs:list(int), -Mood:atom) is det.
mood(Xs, Mood) :-
    findall(x, ( member(X, Xs), X < 0 ), Losses),   % of the year
    (   Losses == []
    ->  Mood = good
    ;   Mood = bad
    ).
%%% to
%! mood(+Xs:list(int), -Mood:atom) is det.
mood(Xs, Mood) :-
    % of the year
    (   \+ ( member(X, Xs), X < 0 )
    ->  Mood = good
    ;   Mood = bad
    ).
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
%%% forbidden: the condition tests something else first
%! mood(+Xs:list(int), +Ys:list(int), -Mood:atom) is det.
mood(Xs, Ys, Mood) :-
    findall(X, ( member(X, Xs), X < 0 ), Losses),
    (   Ys = [Losses|_]
    ->  Mood = good
    ;   Mood = bad
    ).
%%% forbidden: a variable would stand alone
%! found(+Xs:list(int), -Z) is semidet.
found(Xs, Z) :- findall(Z-X, member(X, Xs), Found), Found \== [].
