% Predicates by which a program says what of its run is measured: profile/1, profile_reset/0, profile_dump/0.
%
% Where a run calls profile/1, what runs outside of these calls belongs to nobody, and its ports are not counted.

:- meta_predicate(system:profile(0)).

system:profile(Goal) :- hcc:hcc_measured(Goal).
system:profile_reset :- hcc:hcc_reset.
system:profile_dump :- hcc:hcc_dump.

hcc_measured(Goal) :-
    hcc_measured_in,
    prolog_current_choice(C0),
    catch(Goal, Ball, hcc:hcc_measured_thrown(Ball)),
    prolog_current_choice(C1),
    (   C0 == C1
    ->  !, hcc_measured_out
    ;   hcc_measured_out
    ;   hcc_measured_in,
        fail
    ).
hcc_measured(_) :-
    hcc_measured_out,
    fail.

hcc_measured_thrown(Ball) :-
    hcc_measured_out,
    throw(Ball).

% With the first one what was before is dropped.
hcc_measured_in :-
    hcc_state(State),
    hcc_clock(State, Clock),
    arg(11, State, Inside0),
    (   Inside0 < 0
    ->  hcc_forget(State, Clock),
        Inside = 1
    ;   Inside is Inside0 + 1
    ),
    hcc_measure(State, Clock, Inside).

hcc_measured_out :-
    hcc_state(State),
    hcc_clock(State, Clock),
    arg(11, State, Inside0),
    Inside is Inside0 - 1,
    hcc_measure(State, Clock, Inside).

% Outside of all the clock stands.
hcc_measure(State, Clock, Inside) :-
    nb_setarg(3, State, Clock),
    nb_setarg(11, State, Inside),
    hcc_resume(State, Clock).

hcc_state(State) :-
    b_getval('$hcc_active', Act),
    arg(9, Act, State).

hcc_reset :-
    hcc_state(State),
    hcc_clock(State, Clock),
    hcc_forget(State, Clock),
    hcc_resume(State, Clock).

% What was measured so far is dropped. Calls that are open count as entered now.
hcc_forget(State, Clock) :-
    hcc_settle(State),
    hcc_clear(4, 6, State),
    arg(9, State, Edges),
    forall(member(Edge, Edges), hcc_clear(3, 42, Edge)),
    arg(8, State, Nodes),
    forall(member(Node, Nodes), hcc_clear(5, 8, Node)),
    nb_getval('$hcc_root', Root),
    hcc_clear(4, 10, Root),
    nb_getval('$hcc_centres', Centres),
    forall(arg(_, Centres, Centre), hcc_clear(4, 10, Centre)),
    b_getval('$hcc_active', Act),
    hcc_forget_open(Act, Clock).

hcc_forget_open(0, _) :- !.
hcc_forget_open(Act, Clock) :-
    nb_setarg(3, Act, Clock),
    hcc_clear(5, 8, Act),
    arg(4, Act, Outer),
    hcc_forget_open(Outer, Clock).

hcc_clear(Place, Last, _) :- Place > Last, !.
hcc_clear(Place, Last, Term) :-
    nb_setarg(Place, Term, 0),
    Next is Place + 1,
    hcc_clear(Next, Last, Term).

% --- the table ---------------------------------------------------------------------------------------------------------

hcc_dump :-
    hcc_state(State),
    hcc_clock(State, Clock),
    hcc_settle(State),
    findall(Own-row(Name, Own, With, Counts), hcc_row(State, Clock, Name, Own, With, Counts), Rows0),
    sort(1, @>=, Rows0, Rows),
    foldl([Own-_, Sum0, Sum]>>(Sum is Sum0 + Own), Rows, 0, Total),
    hcc_heads(Heads),
    findall(Line, ( member(_-Row, Rows), hcc_line(Row, Total, Line) ), Lines),
    hcc_amount(Total, TotalText),
    hcc_aligned([Heads|Lines], Widths),
    forall(member(Line, [Heads|Lines]), hcc_print(Line, Widths)),
    hcc_print(["total", "100.0%", TotalText], Widths),
    hcc_resume(State, Clock).

hcc_heads(["cost centre", "% time", "time", "time with calls", "calls", "exits", "redos", "fails"]).

hcc_row(State, Clock, Name, Own, With, [Calls, Exits, Redos, Fails]) :-
    hcc_named(Number, Name, Centre),
    arg(9, State, Edges),
    findall(Edge, ( member(Edge, Edges), arg(2, Edge, Number) ), Into),
    findall(Used, hcc_open_use(Number, Clock, Used), Open),
    length(Open, Running),
    hcc_sum_of(Into, 11, 18, Left),
    sum_list(Open, Pending),
    Own is Left + Pending,
    hcc_sum_of(Into, 3, 6, Called),
    Calls is Called + Running,
    hcc_sum_of(Into, 7, 10, Redos),
    Calls + Redos > 0,
    hcc_sum_of(Into, 3, 3, Exits1), hcc_sum_of(Into, 7, 7, Exits2), Exits is Exits1 + Exits2,
    hcc_sum_of(Into, 4, 4, Fails1), hcc_sum_of(Into, 8, 8, Fails2), Fails is Fails1 + Fails2,
    hcc_time_with(Centre, Number, Clock, With).

hcc_named(0, remainder, Root) :- nb_getval('$hcc_root', Root).
hcc_named(Number, Name/Arity, Centre) :- hcc_centre(Name, Arity, Number), hcc_the(Number, Centre).
hcc_named(Number, Name, Centre) :- hcc_name(Name, Number), hcc_the(Number, Centre).

% The use of the activations of a centre that are open.
hcc_open_use(Number, Clock, Used) :-
    b_getval('$hcc_active', Act),
    hcc_open_use(Act, Number, Clock, Used).

hcc_open_use(Act, Number, Until, Used) :-
    Act = act(Way, _, Since, Outer, Inner, _, _, _, _),
    arg(2, Way, Edge),
    (   arg(2, Edge, Number),
        hcc_nanoseconds(max(0, Until - Since - Inner), Used)
    ;   hcc_open_use(Outer, Number, Since, Used)
    ).

hcc_sum_of(Edges, From, To, Sum) :-
    findall(N, ( member(Edge, Edges), between(From, To, Place), arg(Place, Edge, N) ), Numbers),
    sum_list(Numbers, Sum).

hcc_line(row(Name, Own, With, Counts), Total, [NameText, Share, OwnText, WithText|CountTexts]) :-
    format(string(NameText), '~w', [Name]),
    Percent is 100.0 * Own / max(1, Total),
    format(string(Share), '~1f%', [Percent]),
    hcc_amount(Own, OwnText),
    hcc_amount(With, WithText),
    findall(Text, ( member(Count, Counts), format(string(Text), '~d', [Count]) ), CountTexts).

hcc_amount(Nanoseconds, Text) :-
    (   Nanoseconds < 1 000 000
    ->  Amount is Nanoseconds / 1.0e3, format(string(Text), '~1f \u00b5s', [Amount])
    ;   Nanoseconds < 1 000 000 000
    ->  Amount is Nanoseconds / 1.0e6, format(string(Text), '~1f ms', [Amount])
    ;   Amount is Nanoseconds / 1.0e9, format(string(Text), '~2f s', [Amount])
    ).

hcc_aligned(Lines, Widths) :-
    Lines = [Heads|_],
    findall(Width,
            ( nth0(Column, Heads, _),
              findall(Length, ( member(Line, Lines), nth0(Column, Line, Cell), string_length(Cell, Length) ), Lengths),
              max_list(Lengths, Width) ),
            Widths).

hcc_print([Cell], _) :- !,
    format('~w~n', [Cell]).
hcc_print([Cell|Cells], [Width|Widths]) :-
    string_length(Cell, Length),
    Blanks is Width - Length + 2,
    format('~w~*c', [Cell, Blanks, 0' ]),
    hcc_print(Cells, Widths).
