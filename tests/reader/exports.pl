% The operators that a module exports, its re-exports included, from its text. Files are read, never loaded.
:- module(exports, [ exported_operators/2,      % +File, -Operators
                     skip_hash_bang/1           % +Stream
                   ]).

:- dynamic known/2.

exported_operators(File, Operators) :- known(File, Operators), !.
exported_operators(File, Operators) :-
    exported(File, [], Operators),
    assertz(known(File, Operators)).

exported(File, Seen, []) :- memberchk(File, Seen), !.
exported(File, Seen, Operators) :-
    header(File, Exports, Files),
    findall(Op, ( member(Export, Exports), operator(Export, Op) ), Own),
    findall(Op,
            ( member(Spec, Files),
              catch(absolute_file_name(Spec, Other,
                                       [ file_type(prolog), access(read), relative_to(File),
                                         file_errors(fail)
                                       ]), _, fail),
              exported(Other, [File|Seen], Ops),
              member(Op, Ops) ),
            Others),
    append(Own, Others, All),
    sort(All, Operators).

operator(Export, op(P, T, Name)) :-
    subsumes_term(op(_, _, _), Export),
    Export = op(P, T, Names),
    (   is_list(Names) -> member(Name0, Names) ; Name0 = Names ),
    (   nonvar(Name0), Name0 = _:Name -> true ; Name = Name0 ).

% The export list, and the files that are re-exported with their operators, among the directives before the first clause.
header(File, Exports, Files) :-
    setup_call_cleanup(
        open(File, read, In, [encoding(utf8)]),
        ( skip_hash_bang(In), directives(In, Exports, Files) ),
        close(In)).

directives(In, Exports, Files) :-
    catch(read_term(In, Term, [module(system)]), _, Term = none),
    (   Term = (:- encoding(_)) -> directives(In, Exports, Files)
    ;   Term = (:- module(_, Exports)) -> reexports(In, Files)
    ;   Term = (:- module(_, Exports, _)) -> reexports(In, Files)
    ;   Exports = [], Files = []
    ).

reexports(In, Files) :-
    catch(read_term(In, Term, [module(system)]), _, Term = none),
    (   Term = (:- Goal)
    ->  (   Goal = reexport(F), is_list(F) -> append(F, Rest, Files)
        ;   Goal = reexport(F) -> Files = [F|Rest]
        ;   Goal = reexport(F, except(_)) -> Files = [F|Rest]
        ;   Goal = reexport(F, L), is_list(L), memberchk(op(_, _, _), L) -> Files = [F|Rest]
        ;   Files = Rest
        ),
        reexports(In, Rest)
    ;   Files = []
    ).

skip_hash_bang(In) :-
    (   peek_string(In, 2, "#!")
    ->  skip(In, 0'\n)
    ;   true
    ).
