% Prints `count N` for each line `goal(G).` of a file: the inferences of the goal, up to its first solution or failure. Each goal runs twice, and
% the second run is counted, since the first one may load a library.

:- initialization(main, main).
:- use_module(library(aggregate)).
:- use_module(library(apply)).
:- use_module(library(backcomp)).
:- use_module(library(debug)).
:- use_module(library(error)).
:- use_module(library(lists)).

:- dynamic fact/1.

yes.
yes(_).
yes(_, _).
yes(_, _, _).
yes(_, _, _, _).
yes(_, _, _, _, _).
yes(_, _, _, _, _, _).
yes(_, _, _, _, _, _, _).
no(_) :- fail.
three(1).
three(2).
three(3).
rest --> [].

main([File]) :-
    nb_setval(key, 1),
    setup_call_cleanup(open(File, read, In), goals(In), close(In)).

goals(In) :-
    read_term(In, Term, []),
    (   Term = goal(Goal)
    ->  open_null_stream(Null),
        current_output(Out),
        set_output(Null),
        counted(Goal, _),
        counted(Goal, Count),
        set_output(Out),
        close(Null),
        format("count ~w~n", [Count]),
        goals(In)
    ;   true
    ).

counted(Goal, Count) :-
    copy_term(Goal, Copy),
    statistics(inferences, A),
    run(Copy),
    statistics(inferences, B),
    statistics(inferences, C),
    run(yes),
    statistics(inferences, D),
    Count is (B-A)-(D-C)+1.

% A clause that is tried after a failure counts nothing, unlike the branches of a disjunction.
run(Goal) :- call(Goal), !.
run(_).
