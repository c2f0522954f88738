%% Solutions by their number.

limit(Count, Goal) :-
    Count > 0,
    '$limit'(Count, Goal).

'$limit'(Count, Goal) :-
    State = count(0),
    call(Goal),
    '$arg'(1, State, N0),
    N is N0+1,
    (   N =:= Count
    ->  !
    ;   nb_setarg(1, State, N)
    ).

call_nth(Goal, Nth) :-
    State = count(0),
    call(Goal),
    '$arg'(1, State, N0),
    N is N0+1,
    nb_setarg(1, State, N),
    (   integer(Nth)
    ->  N =:= Nth,
        !
    ;   Nth = N
    ).
