% Writes what SWI-Prolog answers for the goals of a file, one goal a line: `Goal <TAB> Answer`.
%
%     swipl generate.pl text.txt > text.tsv
%
% An answer is the bindings of the first solution, `no`, or the error term; and what was written, if anything was.
:- initialization(main).

main :-
    current_prolog_flag(argv, [File]),
    set_prolog_flag(toplevel_print_anon, false),
    open(File, read, In, [encoding(utf8)]),
    set_stream(user_output, encoding(utf8)),
    set_stream(user_output, tty(false)),
    lines(In),
    halt.

lines(In) :-
    read_line_to_string(In, Line),
    (   Line == end_of_file
    ->  true
    ;   ( Line == "" ; sub_string(Line, 0, _, _, "%") )
    ->  format("~s~n", [Line]), lines(In)
    ;   (   catch(answer(Line, Answer), error(syntax_error(_), _), fail)
        ->  format("~s\t~s~n", [Line, Answer])
        ;   format("% no term: ~s~n", [Line])
        ),
        lines(In)
    ).

answer(Line, Answer) :-
    term_to_atom_with_names(Line, Goal, Bindings),
    with_output_to(string(Output), outcome(Goal, Bindings, Outcome)),
    (   Output == ""
    ->  Answer = Outcome
    ;   format(string(Answer), "~s writes ~q", [Outcome, Output])
    ).

term_to_atom_with_names(Line, Goal, Bindings) :-
    term_string(Goal, Line, [variable_names(Bindings)]).

outcome(Goal, Bindings, Outcome) :-
    catch(( call(user:Goal) -> Result = yes ; Result = no ), Error, true),
    (   nonvar(Error)
    ->  shown(Error, Text),
        format(string(Outcome), "throws ~s", [Text])
    ;   Result == no
    ->  Outcome = "no"
    ;   shown(Bindings, Text),
        format(string(Outcome), "yes ~s", [Text])
    ).

% Variables by first occurrence, so that both sides name them alike.
shown(Term, Text) :-
    (   acyclic_term(Term)
    ->  copy_term(Term, Copy, _),
        numbervars(Copy, 0, _, [singletons(false)]),
        format(string(Text), "~W", [Copy, [quoted(true), numbervars(true), ignore_ops(false)]])
    ;   Text = "cyclic"
    ).
