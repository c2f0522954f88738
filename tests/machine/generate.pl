% Writes what SWI-Prolog answers to the queries of programs: for each `% ?- Goal.` of NAME.pl all solutions in order, how the
% search ends, and what was written, into NAME.answers.
%
%     swipl tests/machine/generate.pl tests/machine/programs/*.pl
%
% With `-` in front, the answers go to standard output instead, for comparison.
:- initialization(main).
:- style_check(-singleton).

main :-
    set_prolog_flag(verbose, silent),
    set_prolog_flag(verbose_load, silent),
    set_prolog_flag(generate_debug_info, false),
    current_prolog_flag(argv, Arguments),
    (   Arguments = [-|Files]
    ->  forall(member(File, Files), ( set_stream(user_output, encoding(utf8)), answers(File, user_output) ))
    ;   forall(member(File, Arguments), answers_to_file(File))
    ),
    halt.

answers_to_file(File) :-
    file_name_extension(Base, _, File),
    file_name_extension(Base, answers, Name),
    setup_call_cleanup(open(Name, write, Out, [encoding(utf8)]), answers(File, Out), close(Out)).

answers(File, Out) :-
    style_check(-singleton),
    style_check(-discontiguous),
    load_files(user:File, [silent(true), encoding(utf8)]),
    read_file_to_string(File, Text, [encoding(utf8)]),
    split_string(Text, "\n", "", Lines),
    forall(( member(Line, Lines), string_concat("% ?- ", Rest, Line), string_concat(Query, ".", Rest) ),
           query(Query, Out)).

query(Query, Out) :-
    format(Out, "?- ~s.~n", [Query]),
    term_string(Goal, Query, [variable_names(Bindings), module(user)]),
    nb_setval(solutions, 0),
    with_output_to(string(Written), catch(search(Goal, Bindings), Error, true)),
    split_string(Written, "\u0001", "", Parts),
    report(Parts, Out),
    (   nonvar(Error)
    ->  shown(Error, Text),
        format(Out, "  throws ~s~n", [Text])
    ;   true
    ).

% Solutions stand between marks in the output, so that what is written before each is seen with it.
search(Goal, Bindings) :-
    (   call(user:Goal),
        nb_getval(solutions, N0),
        N is N0+1,
        nb_setval(solutions, N),
        shown(Bindings, Text),
        format("\u0001  yes ~s~n\u0001", [Text]),
        N >= 30,
        format("\u0001  more~n\u0001")
    ->  true
    ;   format("\u0001  no~n\u0001")
    ).

report([], _).
report([Written|Parts], Out) :-
    (   Written == ""
    ->  true
    ;   format(Out, "  writes ~q~n", [Written])
    ),
    (   Parts = [Line|Rest]
    ->  format(Out, "~s", [Line]),
        report(Rest, Out)
    ;   true
    ).

shown(Term, Text) :-
    (   acyclic_term(Term)
    ->  copy_term(Term, Copy, _),
        numbervars(Copy, 0, _),
        with_output_to(string(Text), writeq(Copy))
    ;   Text = "cyclic"
    ).
