% Steps of lambda expressions in SWI-Prolog: where library(yall) and the predicate that is called are loaded before the clause, a lambda expression
% with as many parameters as arguments becomes a clause, which is what is counted; else the clauses of `>>` take more.
%
% swipl tests/trust/lambdas.pl -- FIXTURE    prints a line for each goal that takes another number of steps.
:- use_module(steps).
:- initialization(main, main).

% Goals of the fixture, what they take as clauses, how much more where `>>` is called, and whether it ever is a clause.
goal(raised(2, [1,2,3,4,5], _), 18, 5*1, compiled).
goal(summed([1,2,3], [1,2,3], _), 12, 3*3, called).
goal(checked(1), 3, 2, called).
goal(checked_by_call(1), 3, 2, called).
goal(freely(1), 3, 1, compiled).
goal(in_two_parts(1, _), 3, 3+4, called).
goal(applied(1, _), 2, 4, compiled).

main(Argv) :-
    ( append(_, [--|Rest], Argv) -> true ; Rest = Argv ),
    Rest = [Fixture],
    load(Fixture, called, []),
    forall(goal(G, N, More, _), ( M is N+More, same(called, G, M) )),
    load(Fixture, compiled, [apply, yall]),
    forall(goal(G, N, _, compiled), same(compiled, G, N)).

% The fixture in a module, behind directives that load libraries.
load(Fixture, Module, Libraries) :-
    forall(member(L, Libraries), Module:use_module(library(L))),
    setup_call_cleanup(open(Fixture, read, In), clauses(In, Module, Libraries), close(In)).

clauses(In, Module, Libraries) :-
    repeat,
    read_term(In, Clause, [module(Module)]),
    (   Clause == end_of_file -> !
    ;   Clause = (:- _) -> fail
    ;   Libraries == [] -> assertz(Module:Clause), fail
    ;   '$set_source_module'(Old, Module),
        expand_term(Clause, Expanded), '$set_source_module'(_, Old), assertz(Module:Expanded), fail ).

same(Module, Goal, Expected) :-
    copy_term(Goal, Copy),
    steps:steps(Module:Copy, 1000, _, All),
    ( All == Expected -> true ; format("~w:~q takes ~w, not ~w~n", [Module, Goal, All, Expected]) ).
