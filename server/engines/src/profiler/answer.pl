% What was measured, as lines.

% The end of the run, once.
hcc_end(_) :- hcc_ended, !.
hcc_end(Result) :-
    assertz(hcc_ended),
    (   memberchk(Result, [time, halt]) -> hcc_leave_open ; true ),
    hcc_say([result, Result]),
    forall(( hcc_centre(Name, Arity, Number), hcc_the(Number, Centre), \+ arg(2, Centre, 0) ),
           hcc_say([unbalanced, Name, Arity])),
    hcc_say_measured,
    hcc_say([end]),
    close(hcc_answer),
    catch(flush_output(user_output), _, true).

hcc_leave_open :-
    b_getval('$hcc_active', Act),
    arg(9, Act, State),
    hcc_clock(State, Clock),
    hcc_leave_open(State, Clock, Act).

hcc_leave_open(_, _, 0) :- !.
hcc_leave_open(State, Clock, Act) :-
    hcc_leave(State, Act, Clock, 3),
    arg(4, Act, Outer),
    hcc_leave_open(State, Clock, Outer).

hcc_say_measured :-
    nb_getval('$hcc', State),
    hcc_settle(State),
    nb_getval('$hcc_root', Root),
    hcc_say_centre(remainder, '', 0, Root),
    forall(( hcc_centre(Name, Arity, Number), hcc_the(Number, Centre) ), hcc_say_centre(Name, Arity, Number, Centre)),
    forall(( hcc_name(Name, Number), hcc_the(Number, Centre) ), hcc_say_centre(Name, literal, Number, Centre)),
    State = state(_, _, _, _, _, _, _, Nodes, Edges, _, _),
    hcc_say_edges(Edges),
    hcc_say_nodes(Nodes).

hcc_the(Number, Centre) :-
    nb_getval('$hcc_centres', Centres),
    arg(Number, Centres, Centre).

hcc_say_centre(Name, Kind, Number, centre(_, _, _, Clock, _, Cuts, _, Useless, _, Skips)) :-
    hcc_nanoseconds(Clock, Time),
    hcc_say([centre, Number, Kind, Name, Time, Cuts, Useless, Skips]).

% The first ones last, as they were remembered.
hcc_say_edges([]).
hcc_say_edges([Edge|Edges]) :-
    hcc_say_edges(Edges),
    Edge =.. Fields,
    hcc_say(Fields).

hcc_say_nodes([]).
hcc_say_nodes([node(Number, Parent, Centre, _, Time, Cuts, Useless, Skips)|Nodes]) :-
    hcc_say_nodes(Nodes),
    (   Parent == 0 -> Of = 0 ; arg(1, Parent, Of) ),
    hcc_say([node, Number, Of, Centre, Time, Cuts, Useless, Skips]).

hcc_say_solution(Names) :-
    hcc_say([solution]),
    forall(member(Name=Value, Names),
           ( format(hcc_answer, 'binding\t~w\t', [Name]),
             hcc_write(Value, [variable_names(Names)]) )).

% A term that ends a line. Quoted it has no character that would end one before.
hcc_write(Term, Options) :-
    catch(write_term(hcc_answer, Term, [quoted(true), numbervars(true)|Options]), _, write(hcc_answer, '...')),
    nl(hcc_answer).

hcc_say_term(Word, Term) :-
    format(hcc_answer, '~w\t', [Word]),
    hcc_write(Term, []).

% A line: fields apart by tabs; what would end a field or a line is written as its code, %9%.
hcc_say([Field|Fields]) :-
    hcc_say_field(Field),
    forall(member(More, Fields), ( put_char(hcc_answer, '\t'), hcc_say_field(More) )),
    nl(hcc_answer).

hcc_say_field(Field) :-
    (   number(Field)
    ->  write(hcc_answer, Field)
    ;   format(string(Text), '~w', [Field]),
        string_codes(Text, Codes),
        forall(member(Code, Codes),
               (   Code > 31, Code =\= 0'%
               ->  put_char(hcc_answer, Code)
               ;   format(hcc_answer, '%~d%', [Code])
               ))
    ).
