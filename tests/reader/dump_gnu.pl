% What GNU Prolog's reader makes of the clauses of a file, one clause on a line, for server/syntax/tests/dialects.rs.
%
%     DUMP=FILE gprolog --consult-file tests/reader/dump_gnu.pl
%
% writes, between what GNU Prolog says of itself, for each line that is no comment, its number and the canonical form of dump.pl, or `error`. The operators and flags that
% directives change are changed; nothing else of the file is obeyed.
:- initialization(main).

main :-
    environ('DUMP', File),
    open(File, read, In),
    write('dump begins'), nl,
    lines(In, 1),
    close(In),
    halt.

lines(In, N) :-
    line(In, Codes, End),
    (   Codes = [First|_], First =\= 0'% -> dumped(N, Codes) ; true ),
    (   End == end -> true ; N1 is N+1, lines(In, N1) ).

line(In, Codes, End) :-
    get_code(In, C),
    (   C =:= -1 -> Codes = [], End = end
    ;   C =:= 10 -> Codes = [], End = more
    ;   Codes = [C|Rest], line(In, Rest, End)
    ).

dumped(N, Codes) :-
    catch(read_term_from_codes(Codes, Term, [end_of_term(dot)]), error(syntax_error(_), _), Failed = yes),
    write(N), put_char('\t'),
    (   Failed == yes -> write(error)
    ;   \+ \+ ( g_assign(variables, 0), form(Term) ),
        directive(Term)
    ),
    nl, !.
dumped(N, _) :- write(N), write('\terror'), nl.

directive((:- op(P, T, Names))) :- catch(op(P, T, Names), _, true), !.
directive((:- set_prolog_flag(Flag, Value))) :- catch(set_prolog_flag(Flag, Value), _, true), !.
directive(_).

form(V) :- var(V), !,
    g_read(variables, N), N1 is N+1, g_assign(variables, N1),
    V = '$variable'(N),
    form(V).
form('$variable'(N)) :- integer(N), !, put_char('_'), write(N).
form(N) :- integer(N), !, write(N).
form(F) :- float(F), !, N is truncate(F), write('F'), write(N), write(r1).     % no fractions in the file
form([]) :- !, write([]).
form([H|T]) :- !, put_char('['), form(H), form_tail(T).
form(A) :- atom(A), !, form_quoted(A).
form(T) :-
    T =.. [Name|Arguments],
    form_quoted(Name), put_char('('), form_arguments(Arguments), put_char(')').

form_tail(T) :- T == [], !, put_char(']').
form_tail(T) :- nonvar(T), T = [H|T1], !, put_char(','), form(H), form_tail(T1).
form_tail(T) :- put_char('|'), form(T), put_char(']').

form_arguments([A]) :- !, form(A).
form_arguments([A|As]) :- form(A), put_char(','), form_arguments(As).

form_quoted(Atom) :-
    put_char(''''),
    atom_codes(Atom, Codes),
    put_escaped(Codes),
    put_char('''').

put_escaped([]).
put_escaped([C|Cs]) :- put_escape(C), put_escaped(Cs).

put_escape(0'\n) :- !, write('\\n').
put_escape(0'\r) :- !, write('\\r').
put_escape(0'\t) :- !, write('\\t').
put_escape(0'\\) :- !, write('\\\\').
put_escape(39) :- !, write('\\''').
put_escape(C) :- char_code(Ch, C), put_char(Ch).

