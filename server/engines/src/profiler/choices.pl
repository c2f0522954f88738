% Predicates that leave no choice point behind, whoever calls them and however clauses are indexed: each clause but the last one has cut, and
% all goals behind the last cut of a clause leave none. Where a predicate calls itself that is taken for granted until something speaks
% against it.

:- dynamic(hcc_quiet_predicate/3).

hcc_leaves_no_choice(Module, Name, Arity) :-
    hcc_wish(optimise),
    (   hcc_wish(proved(Name, Arity, no_choicepoint))
    ->  true
    ;   hcc_quiet_predicate(Module, Name, Arity)
    ).

hcc_find_quiet :-
    hcc_wish(optimise), !,
    forall(( hcc_of_program(Module, Head), functor(Head, Name, Arity) ),
           ( hcc_quiet_predicate(Module, Name, Arity) -> true ; assertz(hcc_quiet_predicate(Module, Name, Arity)) )),
    hcc_drop_loud.
hcc_find_quiet.

hcc_drop_loud :-
    findall(quiet(Module, Name, Arity),
            ( hcc_quiet_predicate(Module, Name, Arity), \+ hcc_has_quiet_clauses(Module, Name, Arity) ),
            Loud),
    (   Loud == []
    ->  true
    ;   forall(member(quiet(Module, Name, Arity), Loud), retract(hcc_quiet_predicate(Module, Name, Arity))),
        hcc_drop_loud
    ).

hcc_has_quiet_clauses(Module, Name, Arity) :-
    functor(Head, Name, Arity),
    findall(Body, hcc_clause(Module, Head, Body), Bodies),
    predicate_property(Module:Head, number_of_clauses(Number)),
    length(Bodies, Number),
    append(Before, [Last], Bodies),
    forall(member(Body, Before), hcc_cuts_quietly(Module, Body)),
    (   hcc_cuts_quietly(Module, Last) -> true ; hcc_quiet(Last, Module) ).

% There is a cut, and behind the last one nothing that leaves a choice point.
hcc_cuts_quietly(_, Body) :- var(Body), !, fail.
hcc_cuts_quietly(_, !).
hcc_cuts_quietly(Module, (A, B)) :-
    (   hcc_cuts_quietly(Module, B)
    ->  true
    ;   hcc_cuts_quietly(Module, A),
        hcc_quiet(B, Module)
    ).

hcc_quiet(Goal, _) :- var(Goal), !, fail.
hcc_quiet((A, B), M) :- !, hcc_quiet(A, M), hcc_quiet(B, M).
hcc_quiet((_ -> B ; C), M) :- !, hcc_quiet(B, M), hcc_quiet(C, M).
hcc_quiet((_ -> B), M) :- !, hcc_quiet(B, M).
hcc_quiet(Goal, Module) :-
    functor(Goal, Name, Arity),
    (   hcc_quiet_predicate(Module, Name, Arity) -> true
    ;   predicate_property(Module:Goal, imported_from(Home)),
        hcc_quiet_predicate(Home, Name, Arity)
    ->  true
    ;   hcc_wish(test(Name, Arity)),
        \+ hcc_own(Module, Goal)
    ->  true
    ;   hcc_quiet_built_in(Goal),
        predicate_property(Module:Goal, system)
    ).

hcc_quiet_built_in(true).
hcc_quiet_built_in(_ = _).
hcc_quiet_built_in(_ is _).
hcc_quiet_built_in(\+ _).
hcc_quiet_built_in(once(_)).
hcc_quiet_built_in(ignore(_)).
hcc_quiet_built_in(forall(_, _)).
hcc_quiet_built_in(findall(_, _, _)).
hcc_quiet_built_in(functor(_, _, _)).
hcc_quiet_built_in(_ =.. _).
hcc_quiet_built_in(write(_)).
hcc_quiet_built_in(nl).
