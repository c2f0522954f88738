% Predicates that leave no choice point behind, whoever calls them. Each clause but the last one has cut, or no later one has a head that fits
% the first argument, which is known to be bound in all calls: SWI-Prolog looks at that first, whatever else it indexes. And all goals behind the
% last cut of a clause leave none. Where a predicate calls itself that is taken for granted until something speaks against it.

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
    findall(Head-Body, hcc_clause(Module, Head, Body), Clauses),
    predicate_property(Module:Head, number_of_clauses(Number)),
    length(Clauses, Number),
    (   Number =< 8,
        hcc_wish(proved(Name, Arity, binds_first))
    ->  First = bound
    ;   First = any
    ),
    hcc_quiet_clauses(Clauses, Module, First).

hcc_quiet_clauses([Head-Body|Later], Module, First) :-
    (   hcc_cuts_quietly(Module, Body)
    ->  true
    ;   hcc_quiet(Body, Module),
        (   Later == []
        ->  true
        ;   First == bound,
            forall(member(Other-_, Later), hcc_exclude_each_other(Head, Other))
        )
    ),
    (   Later == []
    ->  true
    ;   hcc_quiet_clauses(Later, Module, First)
    ).

% No bound first argument fits both heads.
hcc_exclude_each_other(HeadA, HeadB) :-
    arg(1, HeadA, A),
    arg(1, HeadB, B),
    hcc_index_key(A, KeyA),
    hcc_index_key(B, KeyB),
    KeyA \== KeyB.

% A variable has none. The empty list is no atom. Of large integers, floats and strings the index has sums, which may be alike.
hcc_index_key(Term, _) :- var(Term), !, fail.
hcc_index_key([], []) :- !.
hcc_index_key(Term, Term) :- atom(Term), !.
hcc_index_key(Term, Term) :- integer(Term), !, abs(Term) < 1 000 000 000.
hcc_index_key(Term, Name/Arity) :- compound(Term), compound_name_arity(Term, Name, Arity).

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
        \+ hcc_own(Module, Goal)
    ).

hcc_quiet_built_in(true).
hcc_quiet_built_in(!).
hcc_quiet_built_in(throw(_)).
hcc_quiet_built_in(_ = _).
hcc_quiet_built_in(_ is _).
hcc_quiet_built_in(\+ _).
hcc_quiet_built_in(once(_)).
hcc_quiet_built_in(ignore(_)).
hcc_quiet_built_in(forall(_, _)).
hcc_quiet_built_in(findall(_, _, _)).
hcc_quiet_built_in(functor(_, _, _)).
hcc_quiet_built_in(_ =.. _).
hcc_quiet_built_in(copy_term(_, _)).
hcc_quiet_built_in(sort(_, _)).
hcc_quiet_built_in(msort(_, _)).
hcc_quiet_built_in(keysort(_, _)).
hcc_quiet_built_in(sort(_, _, _, _)).
hcc_quiet_built_in(atom_length(_, _)).
hcc_quiet_built_in(atom_codes(_, _)).
hcc_quiet_built_in(atom_chars(_, _)).
hcc_quiet_built_in(number_codes(_, _)).
hcc_quiet_built_in(char_code(_, _)).
hcc_quiet_built_in(nb_getval(_, _)).
hcc_quiet_built_in(nb_setval(_, _)).
hcc_quiet_built_in(b_getval(_, _)).
hcc_quiet_built_in(b_setval(_, _)).
hcc_quiet_built_in(write(_)).
hcc_quiet_built_in(nl).
