% The transformation: copies of predicates, and what stands in their place.

% Predicates become centres; those that cannot are told.
hcc_make_centres :-
    forall(hcc_wish(centre(Name, Arity)), hcc_make_centre(Name, Arity)).

hcc_make_centre(Name, Arity) :-
    functor(Head, Name, Arity),
    findall(Module, hcc_defines(Module, Head), Modules0),
    sort(Modules0, Modules),
    (   Modules == []
    ->  hcc_say([refused, Name, Arity])
    ;   nb_getval('$hcc_used', Used),
        Number is Used + 1,
        nb_setval('$hcc_used', Number),
        assertz(hcc_centre(Name, Arity, Number)),
        forall(member(Module, Modules), hcc_wrap(Module, Head, Number))
    ).

% Of the program's files, or else what the program means by the name.
hcc_defines(Module, Head) :-
    findall(M, hcc_own(M, Head), Own),
    (   Own \== []
    ->  member(Module, Own)
    ;   hcc_home(Home),
        catch(predicate_property(Home:Head, defined), _, fail),
        (   predicate_property(Home:Head, imported_from(Module)) -> true ; Module = Home ),
        hcc_has_clauses(Module:Head),
        \+ predicate_property(Module:Head, system)
    ).

hcc_own(Module, Head) :-
    hcc_module(Module),
    catch(predicate_property(Module:Head, defined), _, fail),
    \+ predicate_property(Module:Head, imported_from(_)),
    hcc_has_clauses(Module:Head).

% The modules of the program.
hcc_module(user).
hcc_module(Module) :-
    current_module(Module),
    module_property(Module, file(File)),
    hcc_of_user(File).

hcc_of_user(File) :-
    current_prolog_flag(home, Home),
    \+ sub_atom(File, 0, _, _, Home),
    \+ module_property(hcc, file(File)).

hcc_has_clauses(Goal) :-
    (   predicate_property(Goal, number_of_clauses(_)) -> true
    ;   predicate_property(Goal, dynamic)
    ).

% The static predicates of the program's files.
hcc_of_program(Module, Head) :-
    hcc_module(Module),
    predicate_property(Module:Head, number_of_clauses(_)),
    \+ predicate_property(Module:Head, imported_from(_)),
    hcc_has_copy(Module:Head),
    predicate_property(Module:Head, file(File)),
    hcc_of_user(File).

hcc_has_copy(Goal) :-
    \+ predicate_property(Goal, dynamic),
    \+ predicate_property(Goal, tabled),
    \+ predicate_property(Goal, ssu),
    \+ predicate_property(Goal, foreign).

% --- what stands in the place of a predicate -------------------------------------------------------------------------

hcc_wrap(Module, Head, Number) :-
    functor(Head, Name, Arity),
    (   hcc_copy(Module, Name, Arity)
    ->  hcc_copied_head(Head, Copy),
        Goal = Module:Copy
    ;   Goal = Closure
    ),
    hcc_kind(Module, Name, Arity, Kind),
    hcc_say([instrumented, Name, Arity, Kind]),
    (   hcc_wish(every(_, _))
    ->  Call = hcc:hcc_call_looking(Number, Act)
    ;   Call = hcc:hcc_call(Number, Act)
    ),
    hcc_wrapper(Kind, Call, Act, Goal, Body),
    system:wrap_predicate(Module:Head, hcc, Closure, Body).

% What is known of a predicate, with which less has to be done (Fig. 5). That it never fails spares nothing by itself: it does so after its last
% solution. Nor does it that it leaves no choice point of its own, unless all calls of the run are known: else a goal that a variable wakes up may
% leave one, which no cut of ours may remove.
hcc_kind(Module, Name, Arity, Kind) :-
    (   hcc_leaves_no_choice(Module, Name, Arity)
    ->  (   hcc_wish(proved(Name, Arity, not_fails))
        ->  Kind = nconf
        ;   hcc_wish(followed)
        ->  Kind = nc
        ;   Kind = plain
        )
    ;   Kind = plain
    ).

hcc_wrapper(plain, Call, Act, Goal,
            (   Call,
                hcc:hcc_fail(Act),
                prolog_current_choice(C0),
                catch(Goal, Ball, hcc:hcc_thrown(Act, Ball)),
                prolog_current_choice(C1),
                (   C0 == C1
                ->  !, hcc:hcc_exit(Act)
                ;   hcc:hcc_exit(Act),
                    hcc:hcc_redo(Act)
                )
            )).
hcc_wrapper(nc, Call, Act, Goal,
            (   Call,
                hcc:hcc_fail(Act),
                catch(Goal, Ball, hcc:hcc_thrown(Act, Ball)),
                !,
                hcc:hcc_exit(Act)
            )).
hcc_wrapper(nconf, Call, Act, Goal,
            (   Call,
                catch(Goal, Ball, hcc:hcc_thrown(Act, Ball)),
                hcc:hcc_exit(Act)
            )).

% With events the cuts of all predicates of the program are noted, whether they are centres or not.
hcc_instrument_cuts :-
    hcc_wish(events), !,
    forall(hcc_of_program(Module, Head), hcc_forward(Module, Head)).
hcc_instrument_cuts.

hcc_forward(Module, Head) :-
    functor(Head, Name, Arity),
    (   \+ hcc_copied(Module, Name, Arity),
        functor(Any, Name, Arity),
        hcc_clause(Module, Any, Body),
        hcc_prunes(Body),
        hcc_copy(Module, Name, Arity)
    ->  hcc_copied_head(Head, Copy),
        system:wrap_predicate(Module:Head, hcc, _, Module:Copy)
    ;   true
    ).

hcc_prunes(Body) :- var(Body), !, fail.
hcc_prunes(!).
hcc_prunes(Body) :- hcc_conditional(Body, _).
hcc_prunes((A, B)) :- ( hcc_prunes(A) -> true ; hcc_prunes(B) ).
hcc_prunes((A ; B)) :- ( hcc_prunes(A) -> true ; hcc_prunes(B) ).
hcc_prunes((A *-> B)) :- ( hcc_prunes(A) -> true ; hcc_prunes(B) ).
hcc_prunes(_:A) :- hcc_prunes(A).

% --- copies ----------------------------------------------------------------------------------------------------------

hcc_copied_head(Head, Copy) :-
    Head =.. [Name|Arguments],
    atom_concat('$cc$', Name, CopyName),
    Copy =.. [CopyName|Arguments].

% A copy of a predicate's clauses that call the copy where they call the predicate.
hcc_copy(Module, Name, Arity) :-
    (   hcc_copied(Module, Name, Arity)
    ->  true
    ;   functor(Head, Name, Arity),
        hcc_has_copy(Module:Head),
        findall(Head-Body, hcc_clause(Module, Head, Body), Clauses),
        predicate_property(Module:Head, number_of_clauses(Number)),
        length(Clauses, Number),
        hcc_copied_head(Head, CopiedHead),
        functor(CopiedHead, Copy, Arity),
        forall(member(Clause, Clauses), hcc_copy_clause(Module, Clause)),
        compile_predicates([Module:Copy/Arity]),
        assertz(hcc_copied(Module, Name, Arity))
    ).

hcc_clause(Module, Head, Body) :-
    catch(clause(Module:Head, Body), _, fail).

hcc_copy_clause(Module, Head-Body0) :-
    functor(Head, Name, Arity),
    hcc_body(Body0, of(Module, Name, Arity, frame), Body),
    hcc_copied_head(Head, Copy),
    assertz(Module:(Copy :- Body)).

% A body, of the predicate of the context. The last part of that is where cuts cut to: the clause, or the condition that they stand in.
hcc_body(Goal, _, Goal) :- var(Goal), !.
hcc_body((A0, B0), C, (A, B)) :- !, hcc_body(A0, C, A), hcc_body(B0, C, B).
hcc_body((A0 ; B0), C, (A ; B)) :- !, hcc_body(A0, C, A), hcc_body(B0, C, B).
hcc_body((A0 *-> B0), C, (A *-> B)) :- !, hcc_soft(A0, C, A), hcc_body(B0, C, B).
hcc_body(Goal, C, Body) :-
    hcc_conditional(Goal, Conditional), !,
    hcc_of_condition(Conditional, C, Body).
hcc_body(!, of(_, _, _, Scope), Body) :-
    hcc_wish(events), !,
    (   Scope == frame
    ->  Body = (prolog_current_frame(Frame), hcc:hcc_cut(Frame), !)
    ;   Body = (hcc:hcc_cut(Scope), !)
    ).
hcc_body(Module:Goal, C, Body) :-
    C = of(Module0, _, _, _), Module == Module0, !,
    hcc_body(Goal, C, Body).
hcc_body(Goal, of(_, Name, Arity, _), Copy) :-
    functor(Goal, Name, Arity), !,
    hcc_copied_head(Goal, Copy).
hcc_body(Goal, _, Goal).

% The constructs that commit to a condition.
hcc_conditional(Goal, _) :- var(Goal), !, fail.
hcc_conditional((A -> B), (A -> B)).
hcc_conditional(\+ A, \+ A).
% In front of a `;` a construct without an else would take what comes behind that for its own.
hcc_conditional(once(A), (A -> true ; fail)) :- nonvar(A).
hcc_conditional(ignore(A), (A -> true ; true)) :- nonvar(A).
hcc_conditional(forall(A, B), \+ (A, \+ B)) :- nonvar(A), nonvar(B).

hcc_of_condition((A0 -> B0), C, (A -> B)) :- hcc_condition(A0, C, A), hcc_body(B0, C, B).
hcc_of_condition((A0 -> B0 ; D), C, (A -> B ; D)) :- hcc_condition(A0, C, A), hcc_body(B0, C, B).
hcc_of_condition(\+ A0, C, \+ A) :- hcc_condition(A0, C, A).

hcc_condition(A0, of(Module, Name, Arity, _), A) :-
    hcc_body(A0, of(Module, Name, Arity, Construct), A1),
    (   hcc_wish(events),
        \+ hcc_is_condition(A0)
    ->  A = (prolog_current_choice(Construct), A1, hcc:hcc_commit(Construct))
    ;   A = A1
    ).

hcc_soft(A0, of(Module, Name, Arity, _), A) :-
    hcc_body(A0, of(Module, Name, Arity, Construct), A1),
    (   hcc_wish(events)
    ->  A = (prolog_current_choice(Construct), A1)
    ;   A = A1
    ).

% Tests, and perhaps a unification with a constant behind them, need no choice point on the embedded machine: there is nothing to commit to.
hcc_is_condition(Goal) :- var(Goal), !, fail.
hcc_is_condition(_ = B) :- atomic(B), !.
hcc_is_condition(A = _) :- atomic(A), !.
hcc_is_condition((A, B)) :- !, hcc_is_test(A), hcc_is_condition(B).
hcc_is_condition(Goal) :- hcc_is_test(Goal).

hcc_is_test(Goal) :- var(Goal), !, fail.
hcc_is_test((A, B)) :- !, hcc_is_test(A), hcc_is_test(B).
hcc_is_test(Goal) :- functor(Goal, Name, Arity), hcc_wish(test(Name, Arity)).
