% Loads main.pl of the current folder into `user` and says which definition each call of the folder's files reaches. Standard input has the
% calls, lines of FILE MODULE NAME ARITY with `-` where no module is written before the goal; the output repeats each, with the file and
% line of the definition, `system 0` for a built-in or library predicate, `declared 0` for one without clauses, `undefined 0` for none.
:- module('$costlens_reach', []).
:- set_module(base(system)).

go :-
    working_directory(Here, Here),
    read_term(user_input, Calls, []),
    catch(load_files(user:'main.pl', [silent(true)]), _, true),
    forall(( member(Call, Calls), Call = call(File, Module, Name, Arity), context(Here, File, Module, M) ),
           ( reached(Here, M, Name, Arity, There, Line),
             format("~w\t~w\t~w\t~w\t~w\t~w~n", [File, Module, Name, Arity, There, Line]) )).

% Goals of a file that is loaded into several modules mean several things, and are left out.
context(Here, File, -, M) :- !,
    atom_concat(Here, File, Path),
    (   module_property(M, file(Path)) -> true
    ;   findall(M0, source_file(M0:_, Path), Ms), sort(Ms, [M])
    ).
context(Here, File, M, M) :- atom_concat(Here, File, Path), source_file(Path), !.

reached(Here, M, Name, Arity, There, Line) :-
    functor(Head, Name, Arity),
    (   catch('$define_predicate'(M:Head), _, fail) ->
        ( predicate_property(M:Head, imported_from(D)) -> true ; D = M ),
        (   predicate_property(D:Head, file(Path)), predicate_property(D:Head, line_count(Line0)), atom_concat(Here, There0, Path) ->
            There = There0, Line = Line0
        ;   predicate_property(D:Head, number_of_clauses(0)) -> There = declared, Line = 0
        ;   There = system, Line = 0
        )
    ;   There = undefined, Line = 0
    ).
