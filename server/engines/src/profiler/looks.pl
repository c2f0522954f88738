% Looks at what was measured so far, from time to time while the goal runs: when a centre is called that is a predicate. Each look is a line with what
% the run has used, and one for each centre that was asked for, with what there is between its pairs of ports. Calls that are open count as not left.

% Only the thread of the goal looks.
hcc_begin_looks :-
    (   hcc_wish(every(calls, Calls))
    ->  nb_setval('$hcc_look', look(calls, Calls, 0))
    ;   hcc_wish(every(nanoseconds, Time))
    ->  get_time(Now),
        Seconds is Time / 1.0e9,
        nb_setval('$hcc_look', look(seconds, Seconds, Now))
    ;   true
    ).

hcc_call_looking(Number, Act) :-
    hcc_call(Number, Act),
    nb_getval('$hcc_look', Look),
    (   hcc_is_time(Look)
    ->  arg(9, Act, State),
        hcc_clock(State, Clock),
        hcc_look(State, Clock),
        hcc_resume(State, Clock)
    ;   true
    ).

hcc_is_time(Look) :-
    arg(1, Look, Kind),
    hcc_is_time(Kind, Look).

hcc_is_time(never, _) :- fail.
hcc_is_time(calls, Look) :-
    Look = look(_, Every, Calls0),
    Calls is Calls0 + 1,
    (   Calls < Every
    ->  nb_setarg(3, Look, Calls),
        fail
    ;   nb_setarg(3, Look, 0)
    ).
hcc_is_time(seconds, Look) :-
    Look = look(_, Every, Then),
    get_time(Now),
    Now - Then >= Every,
    nb_setarg(3, Look, Now).

hcc_look(State, Clock) :-
    hcc_settle(State),
    State = state(_, _, _, Cuts, Useless, Skips, _, _, Edges, _, _),
    nb_getval('$hcc_root', Root),
    hcc_time_with(Root, 0, Clock, Time),
    hcc_say([look, Time, Cuts, Useless, Skips]),
    forall(( hcc_wish(looked(Name, Arity)), hcc_centre(Name, Arity, Number) ),
           hcc_look_at(Number, Edges, Clock)).

% The time of a centre with its calls until now. The box that it was first entered by lies outermost.
hcc_time_with(Centre, Number, Clock, Time) :-
    arg(4, Centre, Left),
    b_getval('$hcc_active', Act),
    (   arg(2, Centre, Open),
        Open > 0,
        hcc_first_open(Act, Number, none, Since),
        Since \== none
    ->  hcc_nanoseconds(Left + Clock - Since, Time)
    ;   hcc_nanoseconds(Left, Time)
    ).

hcc_first_open(0, _, Since, Since) :- !.
hcc_first_open(Act, Number, Since0, Since) :-
    Act = act(Way, _, Then, Outer, _, _, _, _, _),
    arg(2, Way, Edge),
    (   arg(2, Edge, Number)
    ->  hcc_first_open(Outer, Number, Then, Since)
    ;   hcc_first_open(Outer, Number, Since0, Since)
    ).

hcc_look_at(Number, Edges, Clock) :-
    hcc_zeros(edge, 42, Sum),
    forall(( member(Edge, Edges), arg(2, Edge, Number) ), hcc_sum(3, Edge, Sum)),
    b_getval('$hcc_active', Act),
    hcc_sum_open(Act, Number, Clock, Sum),
    Sum =.. [_, _, _|Amounts],
    hcc_say([at, Number|Amounts]).

hcc_sum(Place, _, _) :- Place > 42, !.
hcc_sum(Place, Edge, Sum) :-
    arg(Place, Edge, More),
    hcc_add(Place, Sum, More),
    Next is Place + 1,
    hcc_sum(Next, Edge, Sum).

% Each box has used what there is between it and the next one, which has run since then.
hcc_sum_open(0, _, _, _) :- !.
hcc_sum_open(Act, Number, Until, Sum) :-
    Act = act(Way, Entered, Since, Outer, Inner, Cuts, Useless, Skips, _),
    arg(2, Way, Edge),
    hcc_nanoseconds(max(0, Until - Since - Inner), Time),
    (   arg(2, Edge, Number)
    ->  Count is 3 + 4*Entered + 3,
        hcc_add(Count, Sum, 1),
        forall(nth1(Resource, [Time, Cuts, Useless, Skips], Used),
               ( Place is Count + 8*Resource, hcc_add(Place, Sum, Used) ))
    ;   true
    ),
    hcc_sum_open(Outer, Number, Since, Sum).
