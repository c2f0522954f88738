%% Parts of the solutions of a goal, as SWI-Prolog has them in library(solution_sequences): one clause entry for the call, and what the goal takes.

limit(Most, Goal) :- Most == infinite, !, call(Goal).
limit(Most, Goal) :-
    Most > 0,
    Counter = seen(0),
    call(Goal),
    arg(1, Counter, Before),
    Now is Before+1,
    ( Now =:= Most -> ! ; nb_setarg(1, Counter, Now) ).

offset(Left, Goal) :-
    Left > 0,
    !,
    Counter = seen(0),
    call(Goal),
    arg(1, Counter, Before),
    (   Before >= Left
    ->  true
    ;   Now is Before+1,
        nb_setarg(1, Counter, Now),
        fail
    ).
offset(Left, Goal) :- Left =:= 0, !, call(Goal).
offset(Left, _) :- domain_error(not_less_than_zero, Left).

call_nth(Goal, Nth) :-
    integer(Nth),
    !,
    (   Nth > 0
    ->  ( call_nth(Goal, Now), Now =:= Nth -> true )
    ;   domain_error(not_less_than_one, Nth)
    ).
call_nth(Goal, Nth) :-
    var(Nth),
    !,
    Counter = seen(0),
    call(Goal),
    arg(1, Counter, Before),
    Nth is Before+1,
    nb_setarg(1, Counter, Nth).
call_nth(_, Nth) :- must_be(integer, Nth).
