% What SWI-Prolog's own reader makes of files, clause by clause, for server/syntax/tests/swi_agreement.rs.
%
%     swipl tests/reader/dump.pl -- FILE ...
%
% writes for each file a line `file PATH`, and for each clause
%
%     OFFSET<tab>TERM           where the clause begins (characters) and its canonical form
%     OFFSET<tab>error          a clause that is a syntax error
%
% The canonical form is that of server/syntax/tests/support/dump.rs. Files are only read, never loaded: of the
% directives, those that declare operators and the flag double_quotes are obeyed, and of modules used, their exported
% operators are taken.
:- module(dump, []).
:- initialization(main, main).
:- use_module(exports).

main :-
    current_prolog_flag(argv, Files),
    set_stream(user_output, encoding(utf8)),
    forall(member(File, Files), file(File)).

file(File) :-
    format("file ~w~n", [File]),
    gensym(read_module_, Module),
    set_module(Module:base(user)),
    nb_setval(double_quotes, string),
    setup_call_cleanup(
        open(File, read, In, [encoding(utf8), newline(posix)]),
        ( skip_hash_bang(In), clauses(In, Module, File) ),
        close(In)).

clauses(In, Module, File) :-
    repeat,
    nb_getval(double_quotes, DoubleQuotes),
    catch(read_term(In, Term,
                    [ module(Module), double_quotes(DoubleQuotes), dotlists(false),
                      term_position(Position), syntax_errors(error)
                    ]),
          error(syntax_error(_), Context), true),
    (   nonvar(Context)
    ->  error_offset(Context, Offset),
        format("~d\terror~n", [Offset]),
        fail
    ;   Term == end_of_file
    ->  !
    ;   stream_position_data(char_count, Position, Offset),
        format("~d\t", [Offset]),
        canonical(Term),
        nl,
        ignore(catch(directive(Term, Module, File), _, true)),
        fail
    ).

error_offset(stream(_, _, _, Offset), Offset) :- !.
error_offset(file(_, _, _, Offset), Offset) :- !.
error_offset(_, -1).

% --- What directives change.

directive((:- Goal), Module, File) :- goals(Goal, Module, File).
directive((?- Goal), Module, File) :- goals(Goal, Module, File).

goals((A, B), Module, File) :- !,
    goals(A, Module, File),
    goals(B, Module, File).
goals(Goal, Module, File) :-
    ignore(catch(goal(Goal, Module, File), _, true)).

goal(op(P, T, Names), Module, _) :- declare(op(P, T, Names), Module).
goal(module(_, Exports), Module, _) :- exported(Exports, Module).
goal(set_prolog_flag(double_quotes, Value), _, _) :- nb_setval(double_quotes, Value).
goal(use_module(Files), Module, File) :- used(Files, all, Module, File).
goal(reexport(Files), Module, File) :- used(Files, all, Module, File).
goal(ensure_loaded(Files), Module, File) :- used(Files, all, Module, File).
goal(use_module(Files, Imports), Module, File) :- used(Files, Imports, Module, File).
goal(reexport(Files, Imports), Module, File) :- used(Files, Imports, Module, File).

% An import list brings those operators that a pattern in it fits.
used(Files, Imports, Module, File) :-
    (   is_list(Imports)
    ->  findall(Op, ( member(Op, Imports), subsumes_term(op(_, _, _), Op) ), Patterns)
    ;   Patterns = [op(_, _, _)]
    ),
    Patterns \== [],
    (   is_list(Files) -> member(Spec, Files) ; Spec = Files ),
    absolute_file_name(Spec, Path,
                       [file_type(prolog), access(read), relative_to(File), file_errors(fail)]),
    exported_operators(Path, Operators),
    member(Op, Operators),
    once(( member(Pattern, Patterns), \+ Pattern \= Op )),
    ignore(catch(declare(Op, Module), _, true)),
    fail.
used(_, _, _, _).

exported(Exports, Module) :-
    forall(( member(Op, Exports), subsumes_term(op(_, _, _), Op) ),
           ignore(catch(declare(Op, Module), _, true))).

declare(op(P, T, Names), Module) :-
    is_list(Names), !,
    forall(member(Name, Names), declare(op(P, T, Name), Module)).
declare(op(P, T, _:Name), Module) :- !, declare(op(P, T, Name), Module).
declare(op(P, T, Name), Module) :- op(P, T, Module:Name).

% --- The canonical form.

canonical(Term) :-
    \+ \+ ( b_setval(variables, 0), put(Term) ).

put(V) :- var(V), !,
    b_getval(variables, N), N1 is N+1, b_setval(variables, N1),
    V = '$variable'(N),
    put(V).
put('$variable'(N)) :- integer(N), !, format("_~d", [N]).
put(N) :- integer(N), !, write(N).
put(F) :- float(F), !, put_float(F).
put(R) :- rational(R, N, D), !, format("~dr~d", [N, D]).
put(S) :- string(S), !, put_quoted(S, 0'").
put([]) :- !, write([]).
put([H|T]) :- !, put_char('['), put(H), put_tail(T).
put(A) :- atom(A), !, put_quoted(A, 0'\').
put(D) :- is_dict(D), !,
    dict_pairs(D, Tag, Pairs),
    write('\'dict\'('), put(Tag),
    forall_in_order(Pairs),
    put_char(')').
put(T) :-
    compound_name_arguments(T, Name, Arguments),
    (   Name == [] -> write('\'[]\'') ; put_quoted(Name, 0'\') ),
    put_char('('), put_arguments(Arguments), put_char(')').

put_float(F) :-
    (   F =\= F -> write('Fnan')
    ;   F =:= inf -> write('Finf')
    ;   F =:= -inf -> write('F-inf')
    ;   R is rational(F), rational(R, N, D), format("F~dr~d", [N, D])
    ).

put_tail(T) :- T == [], !, put_char(']').
put_tail(T) :- nonvar(T), T = [H|T1], !, put_char(','), put(H), put_tail(T1).
put_tail(T) :- put_char('|'), put(T), put_char(']').

put_arguments([]).
put_arguments([A]) :- !, put(A).
put_arguments([A|As]) :- put(A), put_char(','), put_arguments(As).

forall_in_order([]).
forall_in_order([K-V|T]) :- put_char(','), put(K), put_char('-'), put(V), forall_in_order(T).

put_quoted(Text, Quote) :-
    put_code(Quote),
    string_codes(Text, Codes),
    forall(member(C, Codes), put_escaped(C, Quote)),
    put_code(Quote).

put_escaped(0'\n, _) :- !, write('\\n').
put_escaped(0'\r, _) :- !, write('\\r').
put_escaped(0'\t, _) :- !, write('\\t').
put_escaped(0, _) :- !, write('\\0').
put_escaped(0'\\, _) :- !, write('\\\\').
put_escaped(Quote, Quote) :- !, put_char('\\'), put_code(Quote).
put_escaped(C, _) :- put_code(C).
