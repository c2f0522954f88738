% Counts the inferences of goals: each line `goal(G).` of the second argument runs in the module of the program in the first. Prints, in the
% file of the third, the inferences up to the first solution or failure, and those of all solutions.

:- module(costlens_inferences, []).

:- use_module(library(time)).

:- initialization(main, main).

main([Program, Goals, Counts]) :-
    load_files(user:Program, [silent(true)]),
    absolute_file_name(Program, Path),
    (   source_file_property(Path, module(Module))
    ->  true
    ;   Module = user
    ),
    open_null_stream(Null),
    setup_call_cleanup(
        open(Goals, read, In),
        setup_call_cleanup(open(Counts, write, Out), counts(In, Out, Null, Module), close(Out)),
        close(In)).

counts(In, Out, Null, Module) :-
    read_term(In, Term, [module(Module)]),
    (   Term = goal(Goal)
    ->  (   catch(call_with_time_limit(1, counted_twice(Null, Module:Goal, First, All)), Ball, true),
            var(Ball)
        ->  format(Out, "~w ~w~n", [First, All])
        ;   format(Out, "- -~n", [])
        ),
        counts(In, Out, Null, Module)
    ;   true
    ).

% The first run loads libraries and makes indexes.
counted_twice(Null, Goal, First, All) :-
    counted(Null, Goal, _, _),
    counted(Null, Goal, First, All).

counted(Null, Goal, First, All) :-
    current_output(Old),
    set_output(Null),
    copy_term(Goal, Once),
    inferences(first(Once), first(costlens_inferences:nothing), First),
    copy_term(Goal, Other),
    inferences(all(Other), all(costlens_inferences:nothing), All),
    set_output(Old).

% What the same call of a predicate without a body counts is taken off, except for the call of that predicate.
inferences(Call, Empty, Count) :-
    statistics(inferences, A),
    run(Call),
    statistics(inferences, B),
    statistics(inferences, C),
    run(Empty),
    statistics(inferences, D),
    Count is (B-A)-(D-C)+1.

% A clause that is tried after a failure counts nothing, unlike the branches of a disjunction.
run(first(Goal)) :- call(Goal), !.
run(first(_)).
run(all(Goal)) :- call(Goal), fail.
run(all(_)).

nothing.
