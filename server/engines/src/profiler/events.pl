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
% An activation is act(Way, Entered, Time, Outer, Cuts, UselessCuts, Skips): one box, entered by call (0) or redo (1), and what it has used
% since then. The active one is a global variable that backtracking restores, so that each choice point knows the activation that it lies in.
% What is measured is kept in terms that are changed in place: way(Node, Edge, Centre).
%
%   node(Number, Parent, Centre, Ways, Time, Cuts, UselessCuts, Skips)    a path
%   edge(From, To, then the pairs of ports: 8 counts, and 8 amounts of each resource)
%   centre(Number, Open, Edges, then of each resource: its use when it was entered, and what is accumulated)
%   state(At, Base, Time, Cuts, UselessCuts, Skips, Events, Nodes, Edges, LastNode, Inside)    what the run has used; the clock; the calls of
%                                                                                              profile/1 that run, -1 where there was none
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

hcc_call(Number, Act) :-
    nb_getval('$hcc', State),
    hcc_elapsed(State, Time),
    b_getval('$hcc_active', Outer),
    hcc_add(3, Outer, Time),
    arg(1, Outer, OuterWay),
    arg(1, OuterWay, Node),
    arg(4, Node, Ways),
    (   Ways \== 0,
        arg(Number, Ways, Way0),
        Way0 \== 0
    ->  Way = Way0
    ;   hcc_new_way(State, Node, Number, Way)
    ),
    Act = act(Way, 0, 0, Outer, 0, 0, 0),
    hcc_open(State, Way),
    b_setval('$hcc_active', Act),
    hcc_resume(State).

hcc_exit(Act) :-
    hcc_left(Act, 0).

% The second clauses are what backtracking comes to.
hcc_fail(_).
hcc_fail(Act) :-
    hcc_left(Act, 1),
    fail.

hcc_redo(_).
hcc_redo(Act) :-
    nb_getval('$hcc', State),
    hcc_elapsed(State, Time),
    b_getval('$hcc_active', Outer),
    hcc_add(3, Outer, Time),
    hcc_entered_again(State, Act),
    fail.

hcc_entered_again(State, Act) :-
    hcc_entered(State, Act, 1).

hcc_entered(State, Act, Port) :-
    nb_setarg(2, Act, Port),
    nb_setarg(3, Act, 0),
    nb_setarg(5, Act, 0),
    nb_setarg(6, Act, 0),
    nb_setarg(7, Act, 0),
    arg(1, Act, Way),
    hcc_open(State, Way),
    hcc_resume(State).

hcc_thrown(Act, Ball) :-
    hcc_left(Act, 2),
    throw(Ball).

% An activation is left: the one around it is active again.
hcc_left(Act, Port) :-
    nb_getval('$hcc', State),
    hcc_elapsed(State, Time),
    hcc_add(3, Act, Time),
    hcc_leave(State, Act, Port),
    arg(4, Act, Outer),
    b_setval('$hcc_active', Outer),
    hcc_resume(State).

hcc_leave(State, Act, Port) :-
    Act = act(way(Node, Edge, Centre), Entered, Time, _, Cuts, Useless, Skips),
    Count is 3 + 4*Entered + Port,
    (   Time =:= 0,
        arg(11, State, 0)
    ->  true
    ;   hcc_add(Count, Edge, 1)
    ),
    At is Count + 8,
    hcc_add(At, Edge, Time),
    hcc_add(5, Node, Time),
    (   arg(7, State, 0)
    ->  true
    ;   AtCuts is Count + 16, hcc_add(AtCuts, Edge, Cuts), hcc_add(6, Node, Cuts),
        AtUseless is Count + 24, hcc_add(AtUseless, Edge, Useless), hcc_add(7, Node, Useless),
        AtSkips is Count + 32, hcc_add(AtSkips, Edge, Skips), hcc_add(8, Node, Skips)
    ),
    arg(2, Centre, Open0),
    Open is Open0 - 1,
    nb_setarg(2, Centre, Open),
    (   Open =:= 0
    ->  hcc_close(3, State, 4, Centre),
        (   arg(7, State, 0)
        ->  true
        ;   hcc_close(4, State, 6, Centre),
            hcc_close(5, State, 8, Centre),
            hcc_close(6, State, 10, Centre)
        )
    ;   true
    ).

hcc_close(Live, State, Since, Centre) :-
    arg(Live, State, Now),
    arg(Since, Centre, Then),
    Used is Now - Then,
    Sum is Since + 1,
    hcc_add(Sum, Centre, Used).

hcc_open(State, way(_, _, Centre)) :-
    arg(2, Centre, Open0),
    Open is Open0 + 1,
    nb_setarg(2, Centre, Open),
    (   Open0 =:= 0
    ->  State = state(_, _, Time, Cuts, Useless, Skips, Events, _, _, _, _),
        nb_setarg(4, Centre, Time),
        (   Events =:= 0
        ->  true
        ;   nb_setarg(6, Centre, Cuts),
            nb_setarg(8, Centre, Useless),
            nb_setarg(10, Centre, Skips)
        )
    ;   true
    ).

hcc_add(Place, Term, More) :- hcc_add(Place, Term, More).

% The clock stands while we are at work.
hcc_elapsed(State, Time) :-
    get_time(Now),
    arg(1, State, At),
    arg(2, State, Base),
    (   arg(11, State, 0)
    ->  Time = 0
    ;   Time is max(0, integer((Now-Base)*1000000000.0) - At),
        hcc_add(3, State, Time)
    ).

hcc_resume(State) :-
    arg(2, State, Base),
    get_time(Now),
    At is integer((Now-Base)*1000000000.0),
    nb_setarg(1, State, At).
