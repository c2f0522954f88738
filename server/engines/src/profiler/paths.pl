% The paths and edges of centres, and the numbers of those that are literals.

hcc_new_way(State, Node, Number, Way) :-
    arg(3, Node, From),
    hcc_edge(State, From, Number, Edge, Centre),
    hcc_path(State, Node, Number, To),
    hcc_way(State, To, Edge, Centre, Way),
    arg(4, Node, Ways0),
    (   Ways0 = ways() -> Before = 0 ; Before = Ways0 ),
    hcc_table(Before, 4, Node, Ways),
    nb_linkarg(Number, Ways, Way).

hcc_way(State, Node, Edge, Centre, Way) :-
    Way = way(Node, Edge, Centre, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0),
    hcc_remember(2, State, Way).

hcc_edge(State, From, To, Edge, Centre) :-
    nb_getval('$hcc_centres', Centres),
    arg(To, Centres, Centre),
    FromPlace is max(From, 1),
    (   From =:= 0
    ->  nb_getval('$hcc_root', Origin)
    ;   arg(FromPlace, Centres, Origin)
    ),
    arg(3, Origin, Edges0),
    hcc_table(Edges0, 3, Origin, Edges),
    (   arg(To, Edges, Edge0), Edge0 \== 0
    ->  Edge = Edge0
    ;   hcc_zeros(edge, 42, Edge),
        nb_setarg(1, Edge, From),
        nb_setarg(2, Edge, To),
        nb_linkarg(To, Edges, Edge),
        hcc_remember(9, State, Edge)
    ).

% A path that comes back to a centre is that which first came to it. Beyond so many paths, all begin at the remainder.
hcc_path(_, Node, Number, Found) :-
    hcc_around(Node, Number, Found), !.
hcc_path(State, Node, Number, To) :-
    arg(10, State, Last),
    (   Last < 100000
    ->  Parent = Node
    ;   arg(8, State, Nodes),
        hcc_first(Nodes, Parent)
    ),
    Next is Last + 1,
    nb_setarg(10, State, Next),
    To = node(Next, Parent, Number, ways(), 0, 0, 0, 0),
    hcc_remember(8, State, To).

hcc_around(Node, Number, Found) :-
    (   arg(3, Node, Number)
    ->  Found = Node
    ;   arg(2, Node, Parent),
        Parent \== 0,
        hcc_around(Parent, Number, Found)
    ).

hcc_first([Node], Node) :- !.
hcc_first([_|Nodes], Node) :- hcc_first(Nodes, Node).

hcc_remember(Place, State, Term) :-
    arg(Place, State, Before),
    nb_linkarg(Place, State, [Term|Before]).

% A table with a place for each centre, where there is none yet.
hcc_table(0, Place, Owner, Table) :- !,
    nb_getval('$hcc_centres', Centres),
    functor(Centres, _, Size),
    hcc_zeros(table, Size, Table),
    nb_linkarg(Place, Owner, Table).
hcc_table(Table, _, _, Table).

hcc_zeros(Name, Size, Term) :-
    functor(Term, Name, Size),
    hcc_fill(Size, Term).

hcc_fill(0, _) :- !.
hcc_fill(Place, Term) :-
    nb_setarg(Place, Term, 0),
    Next is Place - 1,
    hcc_fill(Next, Term).

:- meta_predicate(system:cost_center(?, 0)).
:- '$iso'(system:cost_center/2) -> true ; true.

system:cost_center(Name, Goal) :-
    (   hcc:hcc_literals
    ->  hcc:hcc_number(Name, Number),
        hcc:hcc_literal(Number, Goal)
    ;   call(Goal)
    ).

hcc_literal(Number, Goal) :-
    hcc_call(Number, Act),
    hcc_fail(Act),
    prolog_current_choice(C0),
    catch(Goal, Ball, hcc:hcc_thrown(Act, Ball)),
    prolog_current_choice(C1),
    (   C0 == C1
    ->  !, hcc_exit(Act)
    ;   hcc_exit(Act),
        hcc_redo(Act)
    ).

% The number of a literal's centre. The last one is for all names that there is no room for.
hcc_number(Name0, Number) :-
    (   atom(Name0) -> Name = Name0
    ;   var(Name0) -> Name = '_'
    ;   term_to_atom(Name0, Name)
    ),
    (   hcc_name(Name, Number0)
    ->  Number = Number0
    ;   nb_getval('$hcc_centres', Centres),
        functor(Centres, _, Size),
        nb_getval('$hcc_used', Used),
        (   Used < Size - 1
        ->  Number is Used + 1,
            nb_setval('$hcc_used', Number),
            assertz(hcc_name(Name, Number))
        ;   Number = Size,
            (   hcc_name('...', _) -> true ; assertz(hcc_name('...', Size)) )
        )
    ).
