%%% says: a later element might raise an exception that is not met today
%! has_even(+Xs:list) is semidet.
has_even(Xs) :-
    findall(x, ( member(X, Xs), X mod 2 =:= 0 ), Found),
    Found \== [].
%%% hint
% 2: If no call raises an exception: Stop at the first solution: ≤ 4n + 2 → ≤ 2n + 1 steps and units of built-in work (cheaper for n ≥ 1)
%%% says: the same in a condition
%! mood(+Xs:list, -Mood) is det.
mood(Xs, Mood) :-
    findall(x, ( member(X, Xs), X < 0 ), Losses),
    (   Losses == []
    ->  Mood = good
    ;   Mood = bad
    ).
%%% hint
% 2: If no call raises an exception: Stop at the first solution: ≤ 4n + 2 → ≤ 2n + 1 steps and units of built-in work (cheaper for n ≥ 1)
%%% silent: it is proved
%! has_even(+Xs:list(int)) is semidet.
has_even(Xs) :-
    findall(x, ( member(X, Xs), X mod 2 =:= 0 ), Found),
    Found \== [].
%%% silent: nothing is known of the calls
has_even(Xs) :-
    findall(x, ( member(X, Xs), X mod 2 =:= 0 ), Found),
    Found \== [].
%%% silent: no bound on the comparison of elements of any size, and two steps less beside it
%! has_even(+Xs:list) is semidet.
has_even(Xs) :-
    findall(X, ( member(X, Xs), X mod 2 =:= 0 ), Found),
    Found \== [].
%%% silent: with the condition it is no cheaper
%! pair(+Xs:list, -Ys) is semidet.
pair(Xs, Ys) :- findall(X, nth(Xs, X), Ys), Ys \== [].

nth([X|_], X).
