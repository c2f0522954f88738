%% Built-in predicates with several solutions, or that call goals, over the deterministic ones that are written in Rust. Their
%% clauses count no steps: SWI-Prolog has them in C or, where they are Prolog, in its system module.

% --- control ---------------------------------------------------------------------------------------------------------

once(G) :-
    call(G),
    !.

ignore(G) :-
    call(G),
    !.
ignore(_).

not(G) :-
    \+ call(G).

apply(G, Extra) :-
    '$must_be_list'(Extra, compound_name_arguments/3),
    G =.. Parts0,
    '$joined'(Parts0, Extra, Parts),
    Goal =.. Parts,
    call(Goal).

'$joined'([], Ys, Ys).
'$joined'([X|Xs], Ys, [X|Zs]) :-
    '$joined'(Xs, Ys, Zs).

forall(Condition, Action) :-
    \+ ( call(Condition), \+ call(Action) ).

repeat.
repeat :-
    repeat.

% Of the profiler: where a run calls it, what runs outside of these calls is not measured.
profile(G) :-
    '$choice_points'(Before),
    '$profile_in',
    catch(G, Error, true),
    '$profile_out',
    '$choice_points'(After),
    (   nonvar(Error)
    ->  !,
        throw(Error)
    ;   After == Before
    ->  !
    ;   true
    ;   '$profile_in',
        fail
    ).
profile(_) :-
    '$profile_out',
    fail.

call_cleanup(G, Cleanup) :-
    setup_call_cleanup(true, G, Cleanup).

% The cleanup runs when the goal fails, throws, or succeeds for the last time; not when a choice point that it left is cut.
setup_call_cleanup(Setup, G, Cleanup) :-
    once(Setup),
    '$call_cleanup'(G, Cleanup).

'$call_cleanup'(G, Cleanup) :-
    '$choice_points'(Before),
    catch(G, Error, true),
    '$choice_points'(After),
    (   nonvar(Error)
    ->  !,
        ignore(Cleanup),
        throw(Error)
    ;   After == Before
    ->  !,
        ignore(Cleanup)
    ;   true
    ).
'$call_cleanup'(_, Cleanup) :-
    ignore(Cleanup),
    fail.

catch_with_backtrace(G, Ball, Recovery) :-
    catch(G, Ball, Recovery).

call_with_depth_limit(G, _, 1) :-
    call(G).

call_with_inference_limit(G, _, !) :-
    call(G),
    !.

halt :-
    throw(unwind(halt(0))).

halt(Status) :-
    throw(unwind(halt(Status))).

initialization(G) :-
    call(G).

initialization(G, _) :-
    call(G).

% --- all solutions ---------------------------------------------------------------------------------------------------

findall(Template, Goal, List) :-
    '$findall_begin',
    '$findall'(Template, Goal, List).

'$findall'(Template, Goal, _) :-
    call(Goal),
    '$findall_add'(Template),
    fail.
'$findall'(_, _, List) :-
    '$findall_end'(List).

findall(Template, Goal, List, Tail) :-
    '$findall_begin',
    '$findall'(Template, Goal, List, Tail).

'$findall'(Template, Goal, _, _) :-
    call(Goal),
    '$findall_add'(Template),
    fail.
'$findall'(_, _, List, Tail) :-
    '$findall_end'(List, Tail).

findnsols(N, Template, Goal, List) :-
    findall(Template, limit(N, Goal), List).

'$must_be_list'(List, PI) :-
    '$list_end'(List, End),
    (   End == []
    ->  true
    ;   var(End)
    ->  throw(error(instantiation_error, context(system:PI, _)))
    ;   throw(error(type_error(list, List), context(system:PI, _)))
    ).

bagof(Template, Goal0, List) :-
    '$free_variables'(Goal0, Template, Goal, Witness),
    (   Witness == v
    ->  findall(Template, Goal, Found),
        Found \== [],
        List = Found
    ;   findall(Witness-Template, Goal, Found),
        Found \== [],
        keysort(Found, Sorted),
        '$bags'(Sorted, Bags),
        '$bag'(Bags, Witness, List)
    ).

setof(Template, Goal0, List) :-
    '$free_variables'(Goal0, Template, Goal, Witness),
    (   Witness == v
    ->  findall(Template, Goal, Found),
        Found \== [],
        sort(Found, List)
    ;   findall(Witness-Template, Goal, Found),
        Found \== [],
        sort(Found, Sorted),
        '$bags'(Sorted, Bags),
        '$bag'(Bags, Witness, Bag),
        sort(Bag, List)
    ).

% What is left of a goal behind `V^`, and `v(X, …)` of its variables that occur neither there nor in the template.
'$free_variables'(Goal0, Template, Goal, Witness) :-
    '$without_carets'(Goal0, Goal, Template, Bound),
    term_variables(Bound, BoundVariables),
    term_variables(Goal, Variables),
    '$not_among'(Variables, BoundVariables, Free),
    Witness =.. [v|Free].

'$without_carets'(Goal, Goal, Bound, Bound) :-
    var(Goal),
    !.
'$without_carets'(V^Goal0, Goal, Bound0, Bound) :-
    !,
    '$without_carets'(Goal0, Goal, Bound0-V, Bound).
'$without_carets'(_:Goal0, Goal, Bound0, Bound) :-
    !,
    '$without_carets'(Goal0, Goal, Bound0, Bound).
'$without_carets'(Goal, Goal, Bound, Bound).

'$not_among'([], _, []).
'$not_among'([X|Xs], Ys, Zs) :-
    (   '$among'(Ys, X)
    ->  '$not_among'(Xs, Ys, Zs)
    ;   Zs = [X|Rest],
        '$not_among'(Xs, Ys, Rest)
    ).

'$among'([Y|Ys], X) :-
    (   X == Y
    ->  true
    ;   '$among'(Ys, X)
    ).

% Pairs of one witness together. Witnesses that are variants of each other are unified.
'$bags'([], []).
'$bags'([W-X|Pairs], [W-[X|Xs]|Bags]) :-
    (   ground(W)
    ->  '$same_witness'(Pairs, W, Xs, Rest)
    ;   '$variant_witness'(Pairs, W, Xs, Rest)
    ),
    '$bags'(Rest, Bags).

'$same_witness'([V-X|Pairs], W, [X|Xs], Rest) :-
    V == W,
    !,
    '$same_witness'(Pairs, W, Xs, Rest).
'$same_witness'(Pairs, _, [], Pairs).

'$variant_witness'([], _, [], []).
'$variant_witness'([V-X|Pairs], W, Xs, Rest) :-
    (   V =@= W
    ->  V = W,
        Xs = [X|Xs1],
        Rest = Rest1
    ;   Xs = Xs1,
        Rest = [V-X|Rest1]
    ),
    '$variant_witness'(Pairs, W, Xs1, Rest1).

'$bag'([W-Xs|Bags], Witness, List) :-
    '$bag'(Bags, W, Xs, Witness, List).

'$bag'([], W, Xs, W, Xs) :-
    !.
'$bag'(_, W, Xs, W, Xs).
'$bag'([W-Xs|Bags], _, _, Witness, List) :-
    '$bag'(Bags, W, Xs, Witness, List).

% --- terms -----------------------------------------------------------------------------------------------------------

arg(N, Term, Argument) :-
    nonvar(N),
    !,
    '$arg'(N, Term, Argument).
arg(N, Term, Argument) :-
    \+ '$arg'(0, Term, _),
    compound_name_arity(Term, _, Arity),
    Arity > 0,
    '$between'(1, Arity, N),
    '$arg'(N, Term, Argument).

length(List, Length) :-
    '$length'(List, Length, Tail, Prefix),
    (   Tail == []
    ->  true
    ;   '$longer'(Tail, Prefix, Length)
    ).

'$longer'([], Length, Length).
'$longer'([_|Tail], Length0, Length) :-
    Length1 is Length0+1,
    '$longer'(Tail, Length1, Length).

between(Low, High, X) :-
    '$between_arguments'(Low, High, X, Limit),
    (   integer(X)
    ->  Low =< X,
        ( Limit == inf -> true ; X =< Limit )
    ;   Limit == inf
    ->  '$from'(Low, X)
    ;   Low =< Limit,
        '$between'(Low, Limit, X)
    ).

'$between_arguments'(Low, High, X, Limit) :-
    '$integer_argument'(Low, between/3),
    (   High == inf
    ->  Limit = inf
    ;   High == infinite
    ->  Limit = inf
    ;   '$integer_argument'(High, between/3),
        Limit = High
    ),
    (   var(X)
    ->  true
    ;   '$integer_argument'(X, between/3)
    ).

'$integer_argument'(X, PI) :-
    (   integer(X)
    ->  true
    ;   var(X)
    ->  throw(error(instantiation_error, context(system:PI, _)))
    ;   throw(error(type_error(integer, X), context(system:PI, _)))
    ).

'$between'(High, High, X) :-
    !,
    X = High.
'$between'(Low, _, Low).
'$between'(Low, High, X) :-
    Next is Low+1,
    '$between'(Next, High, X).

'$from'(X, X).
'$from'(Low, X) :-
    Next is Low+1,
    '$from'(Next, X).

numbervars(Term) :-
    numbervars(Term, 0, _).

numbervars(Term, From, To, _) :-
    numbervars(Term, From, To).

copy_term(Term, Copy, []) :-
    copy_term(Term, Copy).

copy_term_nat(Term, Copy) :-
    copy_term(Term, Copy).

'$member'([X|_], X).
'$member'([_|Xs], X) :-
    '$member'(Xs, X).

nb_current(Key, Value) :-
    nonvar(Key),
    catch(nb_getval(Key, Value), error(existence_error(_, _), _), fail).

% --- texts -----------------------------------------------------------------------------------------------------------

atom_concat(X, Y, Z) :-
    '$atom_concat'(X, Y, Z, Length),
    (   Length == []
    ->  true
    ;   '$cut_text'(atom, Z, 0, Length, X, Y)
    ).

string_concat(X, Y, Z) :-
    '$string_concat'(X, Y, Z, Length),
    (   Length == []
    ->  true
    ;   '$cut_text'(string, Z, 0, Length, X, Y)
    ).

'$cut_text'(Kind, Text, Length, Length, X, Y) :-
    !,
    '$text_part'(Kind, Text, 0, Length, X),
    '$text_part'(Kind, Text, Length, 0, Y).
'$cut_text'(Kind, Text, At, Length, X, Y) :-
    '$text_part'(Kind, Text, 0, At, X),
    Rest is Length-At,
    '$text_part'(Kind, Text, At, Rest, Y).
'$cut_text'(Kind, Text, At, Length, X, Y) :-
    Next is At+1,
    '$cut_text'(Kind, Text, Next, Length, X, Y).

sub_atom(Atom, Before, Length, After, Sub) :-
    '$sub_atom'(Atom, Before, Length, After, Sub, More),
    '$sub_text'(More, atom, Atom, Before, Length, After, Sub).

sub_string(String, Before, Length, After, Sub) :-
    '$sub_string'(String, Before, Length, After, Sub, More),
    '$sub_text'(More, string, String, Before, Length, After, Sub).

'$sub_text'([], _, _, _, _, _, _).
'$sub_text'(sub(Places), _, _, Before, _, After, _) :-
    '$place'(Places, Before, After).
'$sub_text'(before(Rest), Kind, Text, Before, Length, After, Sub) :-
    '$between'(0, Rest, Length),
    After is Rest-Length,
    '$text_part'(Kind, Text, Before, Length, Sub).
'$sub_text'(length(Rest), Kind, Text, Before, Length, After, Sub) :-
    '$between'(0, Rest, Before),
    After is Rest-Before,
    '$text_part'(Kind, Text, Before, Length, Sub).
'$sub_text'(after(Rest), Kind, Text, Before, Length, _, Sub) :-
    '$between'(0, Rest, Before),
    Length is Rest-Before,
    '$text_part'(Kind, Text, Before, Length, Sub).
'$sub_text'(both(Rest), Kind, Text, Before, Length, After, Sub) :-
    '$between'(0, Rest, Before),
    Most is Rest-Before,
    '$between'(0, Most, Length),
    After is Most-Length,
    '$text_part'(Kind, Text, Before, Length, Sub).

'$place'([B-A|Places], Before, After) :-
    '$place'(Places, B, A, Before, After).

'$place'([], B, A, B, A) :-
    !.
'$place'(_, B, A, B, A).
'$place'([B-A|Places], _, _, Before, After) :-
    '$place'(Places, B, A, Before, After).

string_code(Index, String, Code) :-
    var(Index),
    !,
    string_length(String, Length),
    Length > 0,
    '$between'(1, Length, Index),
    '$string_code'(Index, String, Code).
string_code(Index, String, Code) :-
    '$string_code'(Index, String, Code).

string_to_atom(String, Atom) :-
    (   nonvar(String)
    ->  atom_string(Atom, String)
    ;   atom_string(Atom, String)
    ).

term_string(String, Term, _) :-
    term_string(String, Term).

atomics_to_string(Atomics, String) :-
    atomic_list_concat(Atomics, Atom),
    atom_string(Atom, String).

concat_atom(Atomics, Atom) :-
    atomic_list_concat(Atomics, Atom).

concat_atom(Atomics, Separator, Atom) :-
    atomic_list_concat(Atomics, Separator, Atom).

char_type(Character, Type) :-
    nonvar(Character),
    !,
    '$char_type'(Character, Type).
char_type(Character, Type) :-
    '$between'(0, 255, Code),
    char_code(Character, Code),
    '$char_type'(Character, Type).

code_type(Code, Type) :-
    nonvar(Code),
    !,
    '$code_type'(Code, Type).
code_type(Code, Type) :-
    '$between'(0, 255, Code),
    '$code_type'(Code, Type).

sformat(String, Format, Arguments) :-
    format(string(String), Format, Arguments).

% --- operators and flags ---------------------------------------------------------------------------------------------

current_op(Priority, Type, Name) :-
    '$operator_arguments'(Priority, Type, Name),
    '$operators'(Name, Operators),
    '$member'(Operators, op(Priority, Type, Name)).

'$operator_arguments'(Priority, Type, Name) :-
    (   var(Priority)
    ->  true
    ;   integer(Priority)
    ->  true
    ;   throw(error(type_error(integer, Priority), context(system:current_op/3, _)))
    ),
    (   var(Type)
    ->  true
    ;   \+ atom(Type)
    ->  throw(error(type_error(atom, Type), context(system:current_op/3, _)))
    ;   '$member'([xfx,xfy,yfx,fy,fx,xf,yf], Type)
    ->  true
    ;   throw(error(domain_error(operator_specifier, Type), context(system:current_op/3, _)))
    ),
    (   var(Name)
    ->  true
    ;   atom(Name)
    ->  true
    ;   throw(error(type_error(atom, Name), context(system:current_op/3, _)))
    ).

current_prolog_flag(Flag, Value) :-
    '$flag'(Flag, Value).

'$flag'(bounded, false).
'$flag'(max_tagged_integer, 72057594037927935).
'$flag'(min_tagged_integer, -72057594037927936).
'$flag'(max_integer, 9223372036854775807).
'$flag'(min_integer, -9223372036854775808).
'$flag'(integer_rounding_function, toward_zero).
'$flag'(double_quotes, string).
'$flag'(iso, false).
'$flag'(occurs_check, false).
'$flag'(prefer_rationals, false).
'$flag'(unknown, error).

set_prolog_flag(_, _).

style_check(_).

garbage_collect.

prompt(_, _).

statistics(Key, Value) :-
    '$statistic'(Key, Value),
    !.

% There is no clock.
'$statistic'(runtime, [0,0]).
'$statistic'(cputime, 0.0).
'$statistic'(process_cputime, 0.0).
'$statistic'(walltime, [0,0]).
'$statistic'(real_time, [0,0]).
'$statistic'(inferences, 0).

use_module(_).
use_module(_, _).
ensure_loaded(_).
set_stream(_, _).

% --- writing ---------------------------------------------------------------------------------------------------------

format(Format) :-
    format(Format, []).

format(Format, Arguments) :-
    '$format_goals'(Format, Arguments, Goals),
    '$outputs'(Goals, Texts),
    '$format'([], Format, Arguments, Texts).

format(Sink, Format, Arguments) :-
    '$is_stream_name'(Sink),
    !,
    (   '$stream'(Sink, format, 3)
    ->  format(Format, Arguments)
    ;   true
    ).
format(Sink, Format, Arguments) :-
    '$format_goals'(Format, Arguments, Goals),
    '$outputs'(Goals, Texts),
    '$format'(Sink, Format, Arguments, Texts).

'$is_stream_name'(Sink) :-
    atom(Sink).

'$outputs'([], []).
'$outputs'([Goal|Goals], [Text|Texts]) :-
    '$output_of'(Goal, Text),
    '$outputs'(Goals, Texts).

'$output_of'(Goal, Text) :-
    '$capture_begin'(Level),
    (   catch(Goal, Error, true)
    ->  '$capture_end'(Level, Text0),
        (   var(Error)
        ->  Text = Text0
        ;   throw(Error)
        )
    ;   '$capture_end'(Level, _),
        fail
    ).

with_output_to(Sink, Goal) :-
    '$capture_to'(Sink, _),
    '$output_of'(Goal, Text),
    '$capture_to'(Sink, Text).

write(Stream, Term) :-
    ( '$stream'(Stream, write, 2) -> write(Term) ; true ).
print(Stream, Term) :-
    ( '$stream'(Stream, print, 2) -> print(Term) ; true ).
writeln(Stream, Term) :-
    ( '$stream'(Stream, writeln, 2) -> writeln(Term) ; true ).
writeq(Stream, Term) :-
    ( '$stream'(Stream, writeq, 2) -> writeq(Term) ; true ).
write_canonical(Stream, Term) :-
    ( '$stream'(Stream, write_canonical, 2) -> write_canonical(Term) ; true ).
write_term(Stream, Term, Options) :-
    ( '$stream'(Stream, write_term, 3) -> write_term(Term, Options) ; true ).
portray_clause(Stream, Clause) :-
    ( '$stream'(Stream, portray_clause, 2) -> portray_clause(Clause) ; true ).
nl(Stream) :-
    ( '$stream'(Stream, nl, 1) -> nl ; true ).
tab(Stream, N) :-
    ( '$stream'(Stream, tab, 2) -> tab(N) ; true ).
put_char(Stream, Character) :-
    ( '$stream'(Stream, put_char, 2) -> put_char(Character) ; true ).
flush_output(Stream) :-
    ( '$stream'(Stream, flush_output, 1) -> true ; true ).

listing(_).

read(end_of_file).
read_term(end_of_file, _).
read(_, end_of_file).
read_term(_, end_of_file, _).

% --- grammars --------------------------------------------------------------------------------------------------------

phrase(Body, List) :-
    phrase(Body, List, []).

phrase(Body, List, Rest) :-
    (   var(Body)
    ->  throw(error(instantiation_error, context(system:phrase/3, _)))
    ;   \+ callable(Body), \+ is_list(Body), \+ string(Body)
    ->  throw(error(type_error(callable, Body), context(system:phrase/3, _)))
    ;   true
    ),
    '$partial_list_of_phrase'(List),
    '$partial_list_of_phrase'(Rest),
    call_dcg(Body, List, Rest).

% What a rule with this body has between the lists, where the body is no nonterminal.
call_dcg(Body, List, Rest) :-
    (   '$dcg_control'(Body)
    ->  '$dcg_body'(Body, List, Rest, Goal),
        call(Goal)
    ;   call(Body, List, Rest)
    ).

'$dcg_control'(Body) :-
    (   string(Body)
    ;   '$dcg_construct'(Body)
    ),
    !.

'$dcg_construct'((_,_)).
'$dcg_construct'((_;_)).
'$dcg_construct'((_|_)).
'$dcg_construct'((_->_)).
'$dcg_construct'(\+ _).
'$dcg_construct'({_}).
'$dcg_construct'(!).
'$dcg_construct'([]).
'$dcg_construct'([_|_]).
'$dcg_construct'(_:Body) :-
    nonvar(Body),
    '$dcg_control'(Body).

'$dcg_body'(Body, List, Rest, phrase(Body, List, Rest)) :-
    var(Body),
    !.
'$dcg_body'((A,B), List, Rest, (GoalA,GoalB)) :-
    !,
    '$dcg_body'(A, List, Middle, GoalA),
    '$dcg_body'(B, Middle, Rest, GoalB).
'$dcg_body'((If->Then), List, Rest, (GoalIf->GoalThen)) :-
    !,
    '$dcg_body'(If, List, Middle, GoalIf),
    '$dcg_body'(Then, Middle, Rest, GoalThen).
'$dcg_body'((If*->Then), List, Rest, (GoalIf*->GoalThen)) :-
    !,
    '$dcg_body'(If, List, Middle, GoalIf),
    '$dcg_body'(Then, Middle, Rest, GoalThen).
'$dcg_body'((A;B), List, Rest, (GoalA;GoalB)) :-
    !,
    '$dcg_body'(A, List, Rest, GoalA),
    '$dcg_body'(B, List, Rest, GoalB).
'$dcg_body'((A|B), List, Rest, (GoalA;GoalB)) :-
    !,
    '$dcg_body'(A, List, Rest, GoalA),
    '$dcg_body'(B, List, Rest, GoalB).
'$dcg_body'(\+ A, List, Rest, (\+ GoalA, Rest = List)) :-
    !,
    '$dcg_body'(A, List, _, GoalA).
'$dcg_body'({Goal}, List, Rest, (Goal, Rest = List)) :-
    !.
'$dcg_body'(!, List, Rest, (!, Rest = List)) :-
    !.
'$dcg_body'([], List, Rest, List = Rest) :-
    !.
'$dcg_body'({}, List, Rest, List = Rest) :-
    !.
'$dcg_body'([X|Xs], List, Rest, List = Joined) :-
    !,
    '$joined'([X|Xs], Rest, Joined).
'$dcg_body'(String, List, Rest, List = Joined) :-
    string(String),
    !,
    string_codes(String, Codes),
    '$joined'(Codes, Rest, Joined).
'$dcg_body'(_:Body, List, Rest, Goal) :-
    !,
    '$dcg_body'(Body, List, Rest, Goal).
'$dcg_body'(NonTerminal, List, Rest, Goal) :-
    (   callable(NonTerminal)
    ->  NonTerminal =.. Parts0,
        '$joined'(Parts0, [List,Rest], Parts),
        Goal =.. Parts
    ;   throw(error(type_error(callable, NonTerminal), _))
    ).

% At the end of a list it is not looked.
'$partial_list_of_phrase'(List) :-
    (   var(List)
    ->  true
    ;   List == []
    ->  true
    ;   List = [_|_]
    ->  true
    ;   throw(error(type_error(list, List), _))
    ).

