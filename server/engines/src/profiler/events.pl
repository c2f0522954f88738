% Cost centres on SWI-Prolog: the source-to-source implementation of Mera et al. (2010), Section 5.
%
% A predicate that is a centre gets a copy under another name, in which its calls of itself are calls of the copy (Fig. 4), so that its last
% calls stay what they are. The predicate itself becomes
%
%   p(X) :- hcc_call(Centre, Act), hcc_fail(Act), prolog_current_choice(C0),
%           catch('$cc$p'(X), Ball, hcc_thrown(Act, Ball)),
%           prolog_current_choice(C1),
%           ( C0 == C1 -> !, hcc_exit(Act) ; hcc_exit(Act), hcc_redo(Act) ).
%
% It is the program as it is loaded that is transformed: SWI-Prolog has read it, with its operators, modules and expansions. What is dynamic,
% tabled or written with => keeps its clauses, and its calls of itself enter the centre anew.
%
% An activation is act(Way, Entered, Since, Outer, Inner, Cuts, UselessCuts, Skips, State): one box, entered by call (0) or redo (1), the clock when
% that was, and what its boxes and cuts have used since then. The active one is a global variable that backtracking restores, so that each choice point
% knows the activation that it lies in. What is measured is kept in terms that are changed in place: way(Node, Edge, Centre, then the pairs of ports: 8
% counts, and 8 times by the clock), from which hcc_settle moves it to the node and the edge.
%
%   node(Number, Parent, Centre, Ways, Time, Cuts, UselessCuts, Skips)    a path
%   edge(From, To, then the pairs of ports: 8 counts, and 8 amounts of each resource)
%   centre(Number, Open, Edges, Time by the clock, then of each other resource: its use when it was entered, and what is accumulated)
%   state(Lost, Ways, Standing, Cuts, UselessCuts, Skips, Events, Nodes, Edges, LastNode, Inside)    the clock, and what the run has used of the rest; the
%                                                                                                   calls of profile/1 that run, -1 where there was none
%
% The clock has units of 100 ns, and is behind that of the system by what was lost: the time that we were at work. Where Inside is 0 it stands.
% A term is matched as a whole, which SWI-Prolog compiles, where that spares a call of arg/3: a port is some calls of built-ins, and each of them is dear.
%
% The head of profiled.rs has the lines of the answer.

:- module(hcc, []).
:- set_prolog_flag(generate_debug_info, false).
:- set_prolog_flag(optimise, true).

:- dynamic(hcc_wish/1).         % what is to be profiled
:- dynamic(hcc_centre/3).       % Name, Arity or literal, Number
:- dynamic(hcc_name/2).         % literal, Number
:- dynamic(hcc_literals/0).
:- dynamic(hcc_copied/3).
:- dynamic(hcc_loading/0).
:- dynamic(hcc_ended/0).

% In place: a call would take as long as the addition.
goal_expansion(hcc_add(Place, Term, More), (arg(Place, Term, Before), After is Before + More, nb_setarg(Place, Term, After))).
goal_expansion(hcc_clock(Now, State, Clock, Events, Inside), Goal) :-
    Goal = (State = state(Lost, _, Standing, _, _, _, Events, _, _, _, Inside),
            (   Inside =:= 0
            ->  Clock = Standing
            ;   Clock is truncate(Now*10000000.0) - Lost
            )).
goal_expansion(hcc_resume(State, Clock), Goal) :-
    Goal = (get_time(Now),
            Lost is truncate(Now*10000000.0) - Clock,
            nb_setarg(1, State, Lost)).

hcc_call(Number, Act) :-
    get_time(Now),
    b_getval('$hcc_active', Outer),
    Outer = act(OuterWay, _, _, _, _, _, _, _, State),
    hcc_clock(Now, State, Clock, Events, _),
    OuterWay = way(node(_, _, _, Ways, _, _, _, _), _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _),
    (   arg(Number, Ways, Way0),
        Way0 \== 0
    ->  Way = Way0
    ;   arg(1, OuterWay, Node),
        hcc_new_way(State, Node, Number, Way)
    ),
    Act = act(Way, 0, Clock, Outer, 0, 0, 0, 0, State),
    Way = way(_, _, Centre, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _),
    Centre = centre(_, Open0, _, _, _, _, _, _, _, _),
    Open is Open0 + 1,
    nb_setarg(2, Centre, Open),
    (   Events =:= 1,
        Open0 =:= 0
    ->  hcc_open_events(State, Centre)
    ;   true
    ),
    b_setval('$hcc_active', Act),
    hcc_resume(State, Clock).

% What is most frequent needs no place that is computed: exits and failures of calls.
hcc_exit(Act) :-
    get_time(Now),
    Act = act(Way, Entered, Since, Outer, Inner, _, _, _, State),
    hcc_clock(Now, State, Clock, Events, Inside),
    (   Entered =:= 0,
        Inside =\= 0
    ->  With is max(0, Clock - Since),
        Way = way(_, _, Centre, Count0, _, _, _, _, _, _, _, Time0, _, _, _, _, _, _, _),
        Count is Count0 + 1,
        nb_setarg(4, Way, Count),
        Time is Time0 + max(0, With - Inner),
        nb_setarg(12, Way, Time),
        hcc_close(State, Act, Centre, Outer, With, 0, Events)
    ;   hcc_leave(State, Act, Clock, 0)
    ),
    b_setval('$hcc_active', Outer),
    hcc_resume(State, Clock).

% The second clauses are what backtracking comes to, which makes the outer activation the active one again.
hcc_fail(_).
hcc_fail(Act) :-
    get_time(Now),
    Act = act(Way, Entered, Since, Outer, Inner, _, _, _, State),
    hcc_clock(Now, State, Clock, Events, Inside),
    (   Entered =:= 0,
        Inside =\= 0
    ->  With is max(0, Clock - Since),
        Way = way(_, _, Centre, _, Count0, _, _, _, _, _, _, _, Time0, _, _, _, _, _, _),
        Count is Count0 + 1,
        nb_setarg(5, Way, Count),
        Time is Time0 + max(0, With - Inner),
        nb_setarg(13, Way, Time),
        hcc_close(State, Act, Centre, Outer, With, 1, Events)
    ;   hcc_leave(State, Act, Clock, 1)
    ),
    hcc_resume(State, Clock),
    fail.

hcc_redo(_).
hcc_redo(Act) :-
    get_time(Now),
    arg(9, Act, State),
    hcc_clock(Now, State, Clock, _, _),
    hcc_entered(State, Act, Clock, 1),
    fail.

hcc_entered(State, Act, Clock, Port) :-
    nb_setarg(2, Act, Port),
    nb_setarg(3, Act, Clock),
    nb_setarg(5, Act, 0),
    arg(1, Act, Way),
    arg(3, Way, Centre),
    arg(2, Centre, Open0),
    Open is Open0 + 1,
    nb_setarg(2, Centre, Open),
    (   arg(7, State, 1)
    ->  nb_setarg(6, Act, 0),
        nb_setarg(7, Act, 0),
        nb_setarg(8, Act, 0),
        (   Open0 =:= 0 -> hcc_open_events(State, Centre) ; true )
    ;   true
    ),
    hcc_resume(State, Clock).

% So does an exception.
hcc_thrown(Act, Ball) :-
    hcc_left(Act, 2),
    throw(Ball).

hcc_left(Act, Port) :-
    arg(9, Act, State),
    hcc_clock(State, Clock),
    hcc_leave(State, Act, Clock, Port),
    hcc_resume(State, Clock).

% An activation is left.
hcc_leave(State, Act, Clock, Port) :-
    Act = act(Way, Entered, Since, Outer, Inner, _, _, _, _),
    With is max(0, Clock - Since),
    Own is max(0, With - Inner),
    Pair is 4*Entered + Port,
    (   Own =:= 0,
        arg(11, State, 0)
    ->  true
    ;   Count is Pair + 4,
        hcc_add(Count, Way, 1)
    ),
    At is Pair + 12,
    hcc_add(At, Way, Own),
    arg(3, Way, Centre),
    arg(7, State, Events),
    hcc_close(State, Act, Centre, Outer, With, Pair, Events).

% The rest of it: what lies in a box that is still open is counted there.
hcc_close(State, Act, Centre, Outer, With, Pair, Events) :-
    Centre = centre(_, Open0, _, AllWith0, _, _, _, _, _, _),
    Open is Open0 - 1,
    nb_setarg(2, Centre, Open),
    (   Open =:= 0
    ->  AllWith is AllWith0 + With,
        nb_setarg(4, Centre, AllWith)
    ;   true
    ),
    (   Outer = act(_, _, _, _, Inner0, _, _, _, _)
    ->  Inner is Inner0 + With,
        nb_setarg(5, Outer, Inner)
    ;   true
    ),
    (   Events =:= 1
    ->  hcc_close_events(State, Act, Pair, Open)
    ;   true
    ).

hcc_open_events(State, Centre) :-
    State = state(_, _, _, Cuts, Useless, Skips, _, _, _, _, _),
    nb_setarg(5, Centre, Cuts),
    nb_setarg(7, Centre, Useless),
    nb_setarg(9, Centre, Skips).

hcc_close_events(State, Act, Pair, Open) :-
    Act = act(Way, _, _, _, _, Cuts, Useless, Skips, _),
    (   Cuts =:= 0, Useless =:= 0
    ->  true
    ;   arg(1, Way, Node),
        arg(2, Way, Edge),
        AtCuts is Pair + 19, hcc_add(AtCuts, Edge, Cuts), hcc_add(6, Node, Cuts),
        AtUseless is Pair + 27, hcc_add(AtUseless, Edge, Useless), hcc_add(7, Node, Useless),
        AtSkips is Pair + 35, hcc_add(AtSkips, Edge, Skips), hcc_add(8, Node, Skips)
    ),
    (   Open =:= 0
    ->  arg(3, Way, Centre),
        hcc_since(4, State, 5, Centre),
        hcc_since(5, State, 7, Centre),
        hcc_since(6, State, 9, Centre)
    ;   true
    ).

hcc_since(Live, State, Since, Centre) :-
    arg(Live, State, Now),
    arg(Since, Centre, Then),
    (   Now =:= Then
    ->  true
    ;   Used is Now - Then,
        Sum is Since + 1,
        hcc_add(Sum, Centre, Used)
    ).

% What the ways have measured goes to their nodes and edges, in nanoseconds.
hcc_settle(State) :-
    arg(2, State, Ways),
    forall(member(Way, Ways), hcc_settle_way(Way)).

hcc_settle_way(Way) :-
    arg(1, Way, Node),
    arg(2, Way, Edge),
    forall(( between(4, 11, Place), arg(Place, Way, Count), Count =\= 0 ),
           ( Of is Place - 1, hcc_add(Of, Edge, Count), nb_setarg(Place, Way, 0) )),
    forall(( between(12, 19, Place), arg(Place, Way, Time), Time =\= 0 ),
           ( Of is Place - 1, hcc_nanoseconds(Time, Nanoseconds), hcc_add(Of, Edge, Nanoseconds), hcc_add(5, Node, Nanoseconds),
             nb_setarg(Place, Way, 0) )).

hcc_nanoseconds(Clock, Nanoseconds) :- Nanoseconds is Clock * 100.

hcc_add(Place, Term, More) :- hcc_add(Place, Term, More).
hcc_clock(State, Clock) :- get_time(Now), hcc_clock(Now, State, Clock, _, _).
hcc_resume(State, Clock) :- hcc_resume(State, Clock).
