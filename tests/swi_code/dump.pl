/*  Writes the code that SWI-Prolog has for the clauses of a file:

        swipl -q -f none [-O] -t halt dump.pl -- FILE

    One line for each clause, with tabs between:

        clause  LINE  MODULE  PREDICATE-MODULE  NAME  ARITY  MARKS  INSTRUCTION ...

    MARKS are `d` for dynamic predicates, `c` where the body sets its context, and `r` where the clause is not the term that was
    read: a hook or the system has rewritten it. INSTRUCTION is the name, then the slots, arities of functors and counts among the
    operands, and how many instructions a jump skips, each behind a colon.
*/

:- module(swi_code_dump, []).

:- dynamic seen/4.
:- multifile system:term_expansion/2.

% Refused clauses are no news, and telling of one takes a tenth of a second.
:- multifile user:message_hook/3.
:- dynamic user:message_hook/3.
user:message_hook(_, _, _).

% Keeps each term as it was read, whatever hooks have made of it, and the module that it was read in.
system:term_expansion(_, _) :-
    prolog_load_context(term, Term),
    source_location(File, Line),
    \+ swi_code_dump:seen(File, Line, Term, _),
    '$current_source_module'(Module),
    assertz(swi_code_dump:seen(File, Line, Term, Module)),
    fail.

:- initialization(dump).

dump :-
    current_prolog_flag(argv, Arguments),
    last_of(Arguments, Name),
    absolute_file_name(Name, File),
    set_prolog_flag(access_level, system),
    catch(load_files(user:File, [if(not_loaded)]), Error, (print_message(error, Error))),
    set_stream(user_output, encoding(utf8)),
    forall(clause_of(File, Clause), write_clause(File, Clause)).

last_of([X], X) :- !.
last_of([_|Xs], X) :- last_of(Xs, X).

clause_of(File, clause(Module, Head, Reference, Line, Context)) :-
    current_module(Module),
    '$c_current_predicate'(_, Module:Head),
    \+ predicate_property(Module:Head, imported_from(_)),
    \+ predicate_property(Module:Head, foreign),
    functor(Head, Name, _),
    \+ ( Module == system, sub_atom(Name, 0, _, _, $) ),
    nth_clause(Module:Head, N, Reference),
    clause_property(Reference, file(File)),
    clause_property(Reference, source(File)),
    clause_property(Reference, line_count(Line)),
    (   has_context(Module:Head, N)
    ->  Context = c
    ;   Context = ''
    ).

% The body of this clause, or of one before it, sets its context.
has_context(Head, N) :-
    between(1, N, M),
    nth_clause(Head, M, Reference),
    instruction(Reference, 0, at(_, _, i_context(_))),
    !.

write_clause(File, clause(Module, Head, Reference, Line, Context)) :-
    functor(Head, Name, Arity),
    (   seen(File, Line, _, Of)
    ->  true
    ;   Of = Module
    ),
    (   predicate_property(Module:Head, dynamic) -> Dynamic = d ; Dynamic = '' ),
    (   is_read(File, Line, Module, Of, Head, Reference) -> Rewritten = '' ; Rewritten = r ),
    format("clause\t~d\t~w\t~w\t~w\t~d\t-~w~w~w", [Line, Of, Module, Name, Arity, Dynamic, Context, Rewritten]),
    findall(Instruction, instruction(Reference, 0, Instruction), All),
    forall('$member'(Instruction, All), write_instruction(All, Instruction)),
    nl.

instruction(Reference, Place, Instruction) :-
    '$fetch_vm'(Reference, Place, Next, This),
    (   Instruction = at(Place, Next, This)
    ;   instruction(Reference, Next, Instruction)
    ).

write_instruction(All, at(_, Next, Instruction)) :-
    Instruction =.. [Name|Operands],
    format("\t~w", [Name]),
    (   puts_integer(Name)
    ->  true
    ;   '$vmi_property'(Name, argv(Types)),
        write_operands(Types, Operands, All, Next)
    ).

puts_integer(h_integer).
puts_integer(b_integer).
puts_integer(a_integer).
puts_integer(a_roundtowards_a).

write_operands([Type|Types], [Operand|Operands], All, Next) :-
    !,
    (   shown(Type, Operand, Shown)
    ->  format(":~w", [Shown])
    ;   Type == jump
    ->  skipped(All, Next, Operand, Skipped),
        format(":~w", [Skipped])
    ;   true
    ),
    write_operands(Types, Operands, All, Next).
write_operands(_, _, _, _).

% The instructions between this one and the one that it jumps to.
skipped(All, Next, Offset, Skipped) :-
    To is Next + Offset,
    findall(x, ( '$member'(at(Place, _, _), All), Place >= Next, Place < To ), Xs),
    length(Xs, Skipped).

shown(var, Slot, Slot).
shown(fvar, Slot, Slot).
shown(chp, Slot, Slot).
shown(integer, Number, Number) :- integer(Number).
shown(func, _/Arity, Arity).

% The clause is what was read.
is_read(File, Line, Module, Of, Head, Reference) :-
    functor(Head, Name, Arity),
    functor(Copy, Name, Arity),
    rule(Module:Copy, Rule0, Reference),
    plain(Rule0, Of, Rule),
    seen(File, Line, Read, _),
    plain(Read, Of, As),
    without_moved(Rule, Rule1),
    without_moved(As, As1),
    Rule1 =@= As1,
    !.

plain(Var, _, Var) :- var(Var), !.
plain((H --> B), Of, Clause) :- !, dcg_translate_rule((H --> B), Clause0), plain(Clause0, Of, Clause).
plain(M:Clause, Of, Plain) :- atom(M), !, plain(Clause, Of, Plain).
plain((H0 :- B0), Of, (H :- B)) :- !, plain_head(H0, H), plain_body(B0, Of, B).
plain((H0, G => B0), Of, (H, G => B)) :- !, plain_head(H0, H), plain_body(B0, Of, B).
plain((H0 => B0), Of, (H => B)) :- !, plain_head(H0, H), plain_body(B0, Of, B).
plain(H0, _, (H :- true)) :- plain_head(H0, H).

% Leading unifications may have moved into the head.
without_moved(Rule0, Rule) :-
    same_sums(Rule0, Rule1),
    (   Rule1 = (H :- B0)
    ->  without_moved_goals(B0, B),
        Rule = (H :- B)
    ;   Rule = Rule1
    ).

% `X is Y - 1` and `X is -1 + Y` are `X is Y + -1` when they come back.
same_sums(Term, Term) :- \+ compound(Term), !.
same_sums(X is A - N, X is A + M) :- var(A), integer(N), !, M is -N.
same_sums(X is N + A, X is A + N) :- var(A), integer(N), !.
same_sums(Term0, Term) :-
    compound_name_arguments(Term0, Name, Arguments0),
    same_sums_all(Arguments0, Arguments),
    compound_name_arguments(Term, Name, Arguments).

same_sums_all([], []).
same_sums_all([A0|As0], [A|As]) :- same_sums(A0, A), same_sums_all(As0, As).

without_moved_goals(B, B) :- var(B), !.
without_moved_goals((A, B0), B) :- moved(A), !, without_moved_goals(B0, B).
without_moved_goals(A, true) :- moved(A), !.
without_moved_goals(B, B).

moved(A) :- nonvar(A), A = (X = Y), ( var(X) ; var(Y) ), !, X = Y.

plain_head(Var, Var) :- var(Var), !.
plain_head(M:H0, H) :- atom(M), !, plain_head(H0, H).
plain_head(H, H).

plain_body(Var, _, Var) :- var(Var), !.
plain_body(M:B0, Of, B) :- M == Of, !, plain_body(B0, Of, B).
plain_body(B, _, B).
