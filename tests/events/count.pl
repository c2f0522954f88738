% Counts the events of runs as docs/bounds.md defines them, apart from anything that Costlens does: a meta-interpreter over the
% clauses as they are read. Prints one line `Predicate|Size|first or all|[Event=Count, …]` for each run.
%
%   swipl count.pl -- programs.pl
%   swipl count.pl -- programs.pl profile      the same with portable events, and what is met, see profiled/1
%   swipl count.pl -- programs.pl goals.pl     counts the goals of goals.pl, `goal(Name, Setup, Goal)`, over all solutions
%   swipl count.pl -- programs.pl goals.pl profile     also what is met
%
% A further argument `first`: portable events of a system whose index sees the first argument alone.

:- initialization(main, main).
:- dynamic(count/2).
:- dynamic(written/4).
:- dynamic(first_argument/0).

main([File|Options]) :-
    subtract(Options, [profile, first], []),
    !,
    options(Options),
    ( Options == [] -> true ; assertz(portable) ),
    set_random(seed(7)),
    read_clauses(File),
    forall(( case(Name, Goal, Size), member(Which, [first, all]) ),
           ( copy_term(Goal, Copy), counted(Which, Copy),
             findall(E=N, count(E, N), Counts),
             format("~w|~w|~w|~w~n", [Name, Size, Which, Counts]) )).

main([File, Goals|Options]) :-
    assertz(portable),
    options(Options),
    read_clauses(File),
    % Apart from what is defined here: programs may have the same names.
    load_files(program:File, []),
    read_file_to_terms(Goals, Terms, []),
    forall(member(goal(Name, Setup, Goal), Terms),
           ( once(program:Setup),
             counted(all, Goal),
             findall(E=N, count(E, N), Counts),
             format("~w|0|all|~w~n", [Name, Counts]) )).

options(Options) :-
    ( memberchk(profile, Options) -> assertz(profiling) ; true ),
    ( memberchk(first, Options) -> assertz(first_argument) ; true ).

read_clauses(File) :-
    setup_call_cleanup(open(File, read, S), read_all(S), close(S)).

read_all(S) :-
    read_term(S, T, []),
    (   T == end_of_file -> true
    ;   ( T = (H :- B) -> true ; T = H, B = true ),
        functor(H, N, A),
        aggregate_all(count, written(N, A, _, _), Number),
        assertz(written(N, A, H, (N/A:Number):B)),
        read_all(S)
    ).

counted(first, G) :- retractall(count(_, _)), ignore(once(solve(G))).
counted(all, G) :- retractall(count(_, _)), forall(solve(G), true).

add(_, 0) :- !.
add(E, N) :- ( retract(count(E, K)) -> true ; K = 0 ), M is K+N, assertz(count(E, M)).

% A call: modes are those at the moment of the call. P is what is written, H and B its instance.
solve(G) :-
    functor(G, N, A),
    G =.. [_|Args],
    maplist([X, M]>>( var(X) -> M = unbound ; M = bound ), Args, Modes),
    prolog_current_choice(Choice),
    findall(PH-PB, written(N, A, PH, PB), All),
    found(All, G, Groups),
    ( switches(All, G) -> add(switches, 1) ; true ),
    length(Groups, Last),
    call_kind(All, G),
    nth1(J, Groups, Group),
    alternative(J, Last),
    length(Group, Candidates),
    nth1(I, Group, PH-(Number:PB)),
    alternative(I, Candidates),
    ( ( I < Candidates ; J < Last ) -> Later = yes ; Later = no ),
    copy_term(PH-PB, H-B),
    H =.. [_|HArgs],
    alone(HArgs, Args, 1, Alone),
    mismatch(HArgs, Args, 1, At),
    ( Later == yes -> PH =.. [_|Written], trailed(Written, Modes, 1, At, 0, Trailed), portable(trailed, Trailed) ; true ),
    profiled(head(Number, At, Alone)),
    ( At =:= 0 -> true ; add(mismatches, 1), fail ),
    ( first_argument -> true ; PH =.. [_|Places], shared_arguments(Places, [], 0, Shared), portable(shared_arguments, Shared) ),
    ( Later == yes -> portable(kept_choices) ; true ),
    Left = left(Later),
    add(head_unifications, 1),
    increments(PH, PB, Incs),
    PH =.. [_|PArgs],
    last_goals(PB, Behind),
    goal_places(PB, [], Number, Goals),
    tests(PB, B, PB1, B1, last([], [], [], Goals, none)),
    add(steps, 1),
    add(nargs, A),
    maplist(head_argument, PArgs, Modes),
    body(PB1, B1, Choice-last(Behind, PArgs, Incs, Goals, Left)).

% The first of several makes a choice point.
alternative(1, N) :- !, ( N > 1 -> add(tries, 1) ; true ).
alternative(_, _) :- add(retries, 1).

% The first argument that does not unify; 0 if all do.
mismatch([], [], _, 0).
mismatch([H|Hs], [A|As], I, At) :- ( H = A -> J is I+1, mismatch(Hs, As, J, At) ; At = I ).

% The arguments that are unbound in the call and written as constants or structures, up to the one that does not match.
trailed([], [], _, _, N, N).
trailed([W|Ws], [M|Ms], I, At, N0, N) :-
    (   I =:= At -> N = N0
    ;   ( M == unbound, nonvar(W) -> N1 is N0+1 ; N1 = N0 ),
        J is I+1,
        trailed(Ws, Ms, J, At, N1, N)
    ).

% The arguments that are variables which occur in one before them.
shared_arguments([], _, N, N).
shared_arguments([A|As], Before, N0, N) :-
    ( var(A), member(V, Before), V == A -> N1 is N0+1 ; N1 = N0 ),
    term_variables(A-Before, Seen),
    shared_arguments(As, Seen, N1, N).

% The arguments that do not unify by themselves.
alone([], [], _, []).
alone([H|Hs], [A|As], I, Is) :- ( H \= A -> Is = [I|Is1] ; Is = Is1 ), J is I+1, alone(Hs, As, J, Is1).

% What instructions a run meets, whatever they are. `head:p/2:1:0` is the second clause of p/2 that is tried and matches, `head:p/2:1:2` one whose second
% argument does not match, `head:p/3:1:2.3` one whose third argument would not match either, whatever the second is. `goal:p/2:1:b.2.1` is a goal of it that begins: the first argument of the second argument of the body.
:- dynamic(profiling/0).
profiled(What) :-
    (   profiling ->
        (   What = head(N/A:Number, At, Alone) -> behind(Alone, At, Behind), atomic_list_concat([At|Behind], '.', Places), format(atom(E), "head:~w/~w:~w:~w", [N, A, Number, Places])
        ;   What = goal(N/A:Number, Way), atomic_list_concat([b|Way], '.', Place), format(atom(E), "goal:~w/~w:~w:~w", [N, A, Number, Place])
        ),
        add(E, 1)
    ;   true
    ).

behind(_, 0, []) :- !.
behind(Alone, At, Behind) :- findall(I, ( member(I, Alone), I > At ), Behind).

goal_places(P, Path, Number, [P-goal(Number, Way)|Inside]) :-
    reverse(Path, Way),
    (   compound(P), P =.. [N|As], length(As, K), memberchk(N/K, [(',')/2, (;)/2, (->)/2, (*->)/2, (\+)/1])
    ->  inside_places(As, 1, Path, Number, Inside)
    ;   Inside = []
    ).

inside_places([], _, _, _, []).
inside_places([A|As], I, Path, Number, All) :-
    goal_places(A, [I|Path], Number, First),
    J is I+1,
    inside_places(As, J, Path, Number, Rest),
    append(First, Rest, All).

begun(P, Goals) :- ( profiling, member(Goal-Place, Goals), same_term(Goal, P) -> profiled(Place) ; true ).

% How a call finds its clauses.
call_kind(_, _) :- \+ portable, !.
call_kind([_], _) :- !, add(single_calls, 1).
call_kind([A-_, B-_], _) :- compound(A), arg(1, A, X), arg(1, B, Y), nonvar(X), nonvar(Y), ( X == [], Y = [_|_] ; Y == [], X = [_|_] ), !, add(list_calls, 1).
call_kind(All, G) :-
    ( hashed(All, G) -> add(lookups, 1), Hashed = yes ; Hashed = no ),
    (   first_argument -> add(first_searches, 1)
    ;   ( Hashed == yes ; G =.. [_, First|_], nonvar(First) ) -> add(searches, 1)
    ;   true
    ).

% By a table: several clauses have the same key in the first argument, or there are more than ten; or it is unbound, and another one tells them apart.
hashed(All, G) :-
    G =.. [_, First|Rest],
    (   nonvar(First) ->
        member(H-_, All), arg(1, H, X), nonvar(X), !,
        (   length(All, N), N > 10 -> true
        ;   append(_, [H1-_|Others], All), arg(1, H1, Y), nonvar(Y), member(H2-_, Others), arg(1, H2, Z), nonvar(Z), same_key(Y, Z)
        )
    ;   \+ first_argument, nth1(I, Rest, R), nonvar(R), J is I+1, member(H-_, All), arg(J, H, A), nonvar(A)
    ), !.

condition(C) :- is_simple(C), !, portable(test_conditions).
condition(_) :- portable(conditions).

is_simple((A, B)) :- !, is_simple(A), is_simple(B).
is_simple(T) :- nonvar(T), functor(T, N, A), \+ written(N, A, _, _).

portable(E) :- portable(E, 1).
portable(E, N) :- ( portable -> add(E, N) ; true ).

% The clauses that an index leaves: one over the first argument, or where that is unbound over the bound one that tells most clauses apart. A table
% over the first argument looks into a structure, at its first argument.
% Where an index sees the first argument alone, it is one of a group of clauses that follow each other, and groups are tried one after another, whatever
% they leave. A clause that stands alone between others that say nothing of the first argument is left by each call.
found(All, G, Groups) :-
    first_argument, All = [_,_|_], !,
    ( G =.. [_,First|_], nonvar(First) -> Key = bound(First) ; Key = unbound ),
    groups(All, Key, Groups).
found(All, G, [Found]) :-
    (   G =.. [_|Args], All = [_,_|_], indexed(All, Args, I)
    ->  nth1(I, Args, Key),
        ( hashed(All, G) -> Deep = deep ; Deep = flat ),
        left(All, I, Deep, Key, Found)
    ;   Found = All
    ).

groups([], _, []).
groups([C|Cs], Key, [Found|Groups]) :-
    (   group([C|Cs], Group, Rest), Group = [_,_|_]
    ->  Clauses = Rest,
        ( Key = bound(First) -> left(Group, 1, flat, First, Found) ; Found = Group )
    ;   Found = [C], Clauses = Cs
    ),
    groups(Clauses, Key, Groups).

% Clauses that follow each other and say something of the first argument.
group([H-B|Cs], [H-B|Group], Rest) :- arg(1, H, A), nonvar(A), \+ float(A), !, group(Cs, Group, Rest).
group(Cs, [], Cs).

left([], _, _, _, []).
left([C|Cs], I, Deep, Key, Found) :-
    C = H-_,
    arg(I, H, A),
    (   same_key(A, Key), ( Deep == deep -> same_inside(A, Key) ; true )
    ->  Found = [C|Rest]
    ;   Found = Rest
    ),
    left(Cs, I, Deep, Key, Rest).

indexed(All, [First|Rest], I) :-
    (   nonvar(First) -> I = 1, speed(All, 1, _)
    ;   \+ first_argument,
        findall(S-J, ( nth1(K, Rest, A), nonvar(A), J is K+1, speed(All, J, T), S is -T ), Speeds),
        keysort(Speeds, [_-I|_])
    ).

% How well an argument tells clauses apart; fails where all have variables there.
speed(All, I, S) :-
    findall(K, ( member(H-_, All), arg(I, H, A), nonvar(A), key(A, K) ), Keys),
    Keys \== [],
    length(All, N),
    length(Keys, Bound),
    sort(Keys, Distinct),
    length(Distinct, D),
    S is N*D rdiv (Bound+(N-Bound)*D).

key(A, K) :- ( compound(A) -> functor(A, N, I), K = s(N, I) ; K = c(A) ).

same_inside(A, B) :-
    (   compound(A), compound(B), arg(1, A, X), arg(1, B, Y), nonvar(Y) -> same_key(X, Y)
    ;   true
    ).

% Clauses are told apart by other keys than a list cell and `[]`.
switches(All, G) :-
    G =.. [_,First|_], nonvar(First), All = [_,_|_],
    member(H-_, All), arg(1, H, A), nonvar(A), A \== [], \+ A = [_|_], !.

same_key(A, _) :- var(A), !.
same_key(A, B) :- compound(A), !, compound(B), functor(A, N, K), functor(B, N, K).
same_key(A, A).

% The goals behind which a body has nothing to run. Goals are told by what is written.
last_goals(B, [B]) :- var(B), !.
last_goals((_, B), L) :- !, last_goals(B, L).
last_goals((_ -> B), L) :- !, last_goals(B, L).
last_goals((A ; B), L) :- !, last_goals(A, L1), last_goals(B, L2), append(L1, L2, L).
last_goals(G, [G]).

head_argument(T, Mode) :-
    occurrences(T, S, V),
    ( Mode == bound -> add(giunif, S), add(viunif, V) ; add(gounif, S), add(vounif, V) ).

occurrences(T, S, V) :-
    (   var(T) -> S = 0, V = 1
    ;   compound(T) ->
        T =.. [_|As],
        foldl([A, S0-V0, S1-V1]>>( occurrences(A, SA, VA), S1 is S0+SA, V1 is V0+VA ), As, 1-0, S-V)
    ;   S = 1, V = 0
    ).

% The tests that lead a body.
tests((P, Ps), (B, Bs), P1, B1, In) :- is_test(P), !, literal(P, B, In), tests(Ps, Bs, P1, B1, In).
tests(P, B, true, true, In) :- is_test(P), !, literal(P, B, In).
tests(P, B, P, B, _).

is_test(G) :-
    nonvar(G),
    functor(G, N, A),
    memberchk(N/A, [(<)/2, (>)/2, (=<)/2, (>=)/2, (=:=)/2, (=\=)/2, (==)/2, (\==)/2, (@<)/2, (@>)/2, var/1, integer/1]).

body(P, B, Choice-Last) :-
    Last = last(_, Places, Incs, Goals, Left),
    In = last([], [], Incs, Goals, none),
    (   P = (P1, P2) -> B = (B1, B2), body(P1, B1, Choice-Last), body(P2, B2, Choice-Last)
    ;   P = (PC -> PT ; PE) ->
        B = (C -> T ; E),
        prolog_current_choice(Here),
        condition(PC),
        ( body(PC, C, Here-In) -> body(PT, T, Choice-Last) ; body(PE, E, Choice-Last) )
    ;   P = (P1 ; P2) -> B = (B1 ; B2), portable(disjunctions), ( leaves(Left, yes), body(P1, B1, Choice-Last) ; body(P2, B2, Choice-Last) )
    ;   P = (\+ P1) -> B = (\+ B1), condition(P1), portable(negations), prolog_current_choice(Here), \+ body(P1, B1, Here-In)
    ;   P = once(P1) -> B = once(B1), condition(P1), prolog_current_choice(Here), once(body(P1, B1, Here-In))
    ;   P == ! -> add(cuts, 1), leaves(Left, no), prolog_cut_to(Choice)
    ;   P == true -> true
    ;   P == fail -> fail
    ;   P = findall(PT, PG, PL) ->
        B = findall(T, G, L),
        add('findall/3', 1),
        begun(P, Goals),
        occurrences(PT, S1, _),
        occurrences(PL, S2, _),
        S is S1+S2,
        add(giunif, S),
        handed(P, []),
        prolog_current_choice(Here),
        findall(T, body(PG, G, Here-In), L),
        ( portable -> worked(findall(_, _, _), size(L)) ; true )
    ;   collected(P, B, T, PG, G, Result) ->
        beside(P, PG, Goals),
        prolog_current_choice(Here),
        findall(T, body(PG, G, Here-In), L),
        collects(B, L, Steps, Order, Result),
        add(steps, Steps),
        collecting_work(P, L, Result, Units),
        functor(P, N, A),
        ( portable, Units > 4 -> format(atom(W), "work(~w/~w)", [N, A]), add(W, Units) ; true ),
        ( portable, Order == sorted -> worked(sort(_, _), sorting(L)) ; true )
    ;   inside(P, B, PG, G, Event, Times) ->
        beside(P, PG, Goals),
        portable(Event, Times),
        prolog_current_choice(Here),
        once(body(PG, G, Here-In))
    ;   P = catch(PG, _, PR) ->
        B = catch(G, Ball, R),
        begun(P, Goals),
        add('catch/3', 1),
        ( is_last(Last, P) -> handed(P, Places) ; handed(P, []) ),
        prolog_current_choice(Here),
        catch(body(PG, G, Here-In), Ball, ( prolog_current_choice(There), body(PR, R, There-In) ))
    ;   P = phrase(PG, PL, PR) ->
        % Its two checks, and the call.
        B = phrase(G, _, _),
        phrased(PG, PL, PR, Checks, PCall),
        forall(member(Check, Checks), literal_event(Check, Incs, [], [])),
        G =.. [N|As], B = phrase(_, L, R), append(As, [L, R], Bs), Call =.. [N|Bs],
        ( is_last(Last, P) -> literal(PCall, Call, last([PCall], Places, Incs, Goals, Left)) ; literal(PCall, Call, In) )
    ;   portable, compound(P), P =.. [call,_|PAs], PAs \== [] ->
        B =.. [call,F|As],
        begun(P, Goals),
        portable(closures),
        ( is_last(Last, P) -> closure(F, PAs, As, last(tail, Places, Incs, Goals, Left)) ; closure(F, PAs, As, In) )
    ;   literal(P, B, Last)
    ).

% Whether other clauses or branches are left behind, until this fails.
leaves(none, _) :- !.
leaves(Left, Is) :- setarg(1, Left, Is).

% A closure is called: a lambda expression as a predicate of one clause, on a copy; others with what they have in front.
closure(F, PAs, As, In) :-
    lambda(F, Free, Ps, PBody, Qs, Body), !,
    term_variables(Free, Passed),
    length(Passed, N),
    portable(captured, N),
    append(Passed, PAs, Written),
    PCall =.. [lambda|Written],
    In = last(Tail, Places, _, _, _),
    ( Tail == tail -> handed(PCall, Places) ; handed(PCall, []), add(continuations, 1) ),
    symbols(F, S),
    portable(lambdas),
    portable(lambda_symbols, S),
    call_kind([lambda], _),
    maplist([X, M]>>( var(X) -> M = unbound ; M = bound ), As, Modes),
    add(head_unifications, 1),
    add(steps, 1),
    length(As, Arity), Nargs is Arity+N,
    add(nargs, Nargs),
    Qs = As,
    maplist(head_argument, Ps, Modes),
    prolog_current_choice(Here),
    body(PBody, Body, Here-last([], [], [], [], none)).
closure(F, PAs, As, last(Tail, Places, Incs, Goals, Left)) :-
    F =.. [N|Cs],
    length(Cs, K),
    portable(captured, K),
    length(Vs, K),
    append(Vs, PAs, PBs), PCall =.. [N|PBs],
    append(Cs, As, Bs), Call =.. [N|Bs],
    ( Tail == tail -> Last = [PCall] ; Last = [] ),
    literal(PCall, Call, last(Last, Places, Incs, Goals, Left)).

% The parameters and the body of a lambda expression as it is written, and of the copy that runs.
lambda(F, Free, Ps, PBody, Qs, Body) :-
    ( F = (Free/_ >> _) -> true ; F = (_ >> _), Free = {} ),
    copy_term(F, PF), parts(PF, Ps, PBody),
    copy_term(Free-F, Free-QF), parts(QF, Qs, Body).

parts((_/Ps >> Body), Ps, Body) :- !.
parts((Ps >> Body), Ps, Body).

symbols(T, 0) :- var(T), !.
symbols(T, S) :- compound(T), !, T =.. [_|As], foldl([A, I, J]>>( symbols(A, K), J is I+K ), As, 1, S).
symbols(_, 1).

% A goal that runs another one, which counts by itself: its event, and what is written beside that.
beside(P, PG, Goals) :-
    functor(P, N, A),
    format(atom(E), "~w/~w", [N, A]),
    add(E, 1),
    begun(P, Goals),
    P =.. [_|As],
    written_beside(As, PG, 0, Written),
    add(giunif, Written),
    handed(P, []).

% Goals, and `true` in the place of one, build nothing.
written_beside([], _, S, S).
written_beside([A|As], PG, S0, S) :-
    (   ( same_term(A, PG) ; A == true )
    ->  S1 = S0
    ;   occurrences(A, I, _), S1 is S0+I
    ),
    written_beside(As, PG, S1, S).

% Goals that collect the solutions of another one: what they keep of each, the goal as it is written and its instance, and the result. No
% goal here has free variables.
collected(findall(_, PG, _, _), findall(T, G, L, _), T, PG, G, L).
collected(bagof(_, PG, _), bagof(T, G, L), T, PG, G, L).
collected(setof(_, PG, _), setof(T, G, L), T, PG, G, L).
collected(aggregate_all(_, PG, _), aggregate_all(W, G, R), T, PG, G, R) :- ( W == count -> T = [] ; W =.. [_, T] ).
collected(aggregate_all(count, _, PG, _), aggregate_all(count, D, G, R), D, PG, G, R).

% The result, whether what is kept is sorted, and clauses of SWI-Prolog's library that are entered.
collects(findall(_, _, _, Tail), L, 0, found, Result) :- append(L, Tail, Result).
collects(bagof(_, _, _), L, 0, found, L) :- L = [_|_].
collects(setof(_, _, _), L, 0, sorted, S) :- L = [_|_], sort(L, S).
collects(aggregate_all(W, _, _), L, Steps, Order, Result) :- aggregated(W, L, Steps, Order, Result).
collects(aggregate_all(count, _, _, _), L, Steps, sorted, N) :- sort(L, S), length(S, N), length(L, All), Steps is 11+All.

aggregated(count, L, 2, found, N) :- length(L, N).
aggregated(sum(_), L, 1, found, N) :- sum_list(L, N).
aggregated(max(_), L, 1, found, N) :- max_list(L, N).
aggregated(bag(_), L, 10, found, L).
aggregated(set(_), L, 10, sorted, S) :- sort(L, S).

% A unit for each solution, and one for each cell of what is kept of it; `findall/4`: the size of its result.
collecting_work(findall(_, _, _, _), _, Result, Units) :- !, units(size(Result), Units).
collecting_work(_, L, _, Units) :- foldl([T, I, J]>>( cells(T, C), J is I+C+1 ), L, 0, Units).

cells(T, C) :- ( compound(T) -> T =.. [_|As], foldl([A, I, J]>>( cells(A, K), J is I+K ), As, 0, Inside), length(As, N), C is Inside+N+1 ; C = 0 ).

% Goals that call another one once, and the conditions that they are beside.
inside(setup_call_cleanup(true, PG, true), setup_call_cleanup(true, G, true), PG, G, test_conditions, 2).
inside(call_cleanup(PG, true), call_cleanup(G, true), PG, G, test_conditions, 1).
inside(with_mutex(_, PG), with_mutex(_, G), PG, G, conditions, 1).
inside(with_output_to(_, PG), with_output_to(_, G), PG, G, conditions, 1).
inside(assertion(PG), assertion(G), PG, G, conditions, 0).

phrased(G, L, R, ['$list_or_partial_list'(L), '$list_or_partial_list'(R)], Call) :-
    G =.. [N|As], append(As, [L, R], Bs), Call =.. [N|Bs].

is_last(last(Ls, _, _, _, _), P) :- member(L, Ls), same_term(L, P), !.

literal(P, B, last(Last, Places, Incs, Goals, Left)) :-
    begun(P, Goals),
    literal_event(P, Incs, Last, Places),
    functor(P, N, A),
    (   written(N, A, _, _) ->
        ( Left = left(yes), member(L, Last), same_term(L, P) -> portable(kept_frames) ; true ),
        solve(B)
    ;   built_in(B)
    ).

% A built-in, and its work where its time grows with its arguments: in the units of the lines `time` of server/catalog/data/predicates.txt, and where it is more than any call has.
built_in(G) :- portable, work(G, N, Late), !, ( Late == late -> call(program:G), worked(G, N) ; worked(G, N), call(program:G) ).
built_in(between(L, H, X)) :- portable, var(X), !, call(program:between(L, H, X)), add('work(between/3)', 1).
built_in(G) :- call(program:G).

worked(G, N) :-
    units(N, Units),
    (   Units > 4 ->
        functor(G, F, A),
        format(atom(E), "work(~w/~w)", [F, A]),
        add(E, Units)
    ;   true
    ).

work(length(L, _), list(L), before).
work(is_list(L), list(L), before).
work(msort(L, _), sorting(L), before).
work(sort(L, _), sorting(L), before).
work(sort(_, _, L, _), sorting(L), before).
work(memberchk(_, L), list(L), before).
work(copy_term(T, _), size(T), before).
work(_ =.. L, list(L), late).
work(A = B, min(size(A), size(B)), before).
work(A \= B, min(size(A), size(B)), before).
work(A == B, min(size(A), size(B)), before).
work(A \== B, min(size(A), size(B)), before).
work(A @< B, min(size(A), size(B)), before).
work(A @=< B, min(size(A), size(B)), before).
work(ground(T), size(T), before).
work(nb_setval(_, T), size(T), before).
work(string_length(S, _), chars(S), before).
work(string_lower(S, _), chars(S), before).
work(compare(_, A, B), min(size(A), size(B)), before).
work(atom_codes(_, L), list(L), late).
work(atom_chars(_, L), list(L), late).
work(string_codes(_, L), list(L), late).
work(string_chars(_, L), list(L), late).
work(atom_string(A, _), chars(A), before).
work(upcase_atom(A, _), chars(A), before).
work(atom_concat(_, _, C), chars(C), late).
work(string_concat(_, _, C), chars(C), late).
work(atomic_list_concat(L, C), list(L)+chars(C), late).
work(keysort(L, _), sorting(L), before).
work(?=(A, B), size(A)+size(B), before).
work(term_variables(T, _), size(T), before).
work(throw(T), size(T), before).
work(nb_setarg(_, _, T), size(T), before).
work(sub_atom(_, _, _, _, S), chars(S), late).
work(sub_string(_, _, _, _, S), chars(S), late).
work(split_string(S, A, B, _), chars(S)*(chars(A)+chars(B)+1), before).
work(tab(N), N, before).
work(functor(T, _, N), N, before) :- var(T).
work(number_codes(_, L), list(L), before).
work(atomic_list_concat(L, _, C), list(L)+chars(C), late).
work(format(F), chars(F), before).
work(format(F, As), chars(F)+8*size(As), before).
work(format(_, F, As), chars(F)+8*size(As), before).
work(assert(T), size(T), before).
work(asserta(T), size(T), before).
work(assertz(T), size(T), before).
work(G, size(T), before) :- functor(G, Writes, 1), memberchk(Writes, [write, writeq, writeln, write_canonical]), arg(1, G, T).

units(N, N) :- integer(N), !.
units(list(L), N) :- length(L, N).
units(chars(A), N) :- atom_length(A, N).
units(sorting(L), N) :- length(L, K), ( K =:= 0 -> N = 0 ; N is K*(msb(K)+1) ).
units(A+B, N) :- units(A, I), units(B, J), N is I+J.
units(A*B, N) :- units(A, I), units(B, J), N is I*J.
units(min(A, B), N) :- units(A, I), units(B, J), N is min(I, J).
units(size(T), N) :-
    (   string(T) -> string_length(T, K), N is K+1
    ;   compound(T) -> T =.. [_|As], foldl([A, I, J]>>( units(size(A), S), J is I+S ), As, 1, N)
    ;   N = 1
    ).

% The vocabulary of PADL'07 counts `is/2` and its function for an increment, the portable one an increment in their place.
literal_event(P, Incs, Last, Places) :-
    P =.. [_|As],
    foldl([A, S0, S1]>>( occurrences(A, SA, _), S1 is S0+SA ), As, 0, S),
    functor(P, N, A),
    (   is_increment(P, Incs) -> add(increments, 1), high(giunif, S)
    ;   add(giunif, S)
    ),
    ( member(L, Last), same_term(L, P) -> handed(P, Places) ; handed(P, []) ),
    (   written(N, A, _, _) ->
        ( member(L, Last), same_term(L, P) -> true ; add(continuations, 1) )
    ;   format(atom(E), "~w/~w", [N, A]),
        ( is_increment(P, Incs) -> high(E, 1) ; add(E, 1) ),
        ( portable, is_increment(P, Incs) -> true ; evaluated(P) )
    ).

is_increment(P, Incs) :- member(I, Incs), same_term(I, P), !.

% The literals that add an integer to a variable, for a variable that occurs nowhere before.
increments(H, B, Incs) :- term_variables(H, Seen), increments(B, Seen, _, Incs).

increments(G, Seen, Seen, []) :- var(G), !.
increments(G, S0, S, Incs) :-
    functor(G, N, 2), memberchk(N, [(','), (;), (->)]), !,
    G =.. [_, A, B],
    increments(A, S0, S1, I1),
    increments(B, S1, S, I2),
    append(I1, I2, Incs).
increments(G, S0, S, Incs) :-
    (   G = (Y is E), var(Y), nonvar(E), ( E = X+K ; E = X-K ), var(X), integer(K), X \== Y, \+ ( member(V, S0), V == Y )
    ->  Incs = [G]
    ;   Incs = []
    ),
    term_variables(S0-G, S).

% What is counted under the vocabulary of PADL'07 alone.
:- dynamic(portable/0).
high(_, _) :- portable, !.
high(E, N) :- add(E, N).

handed(P, _) :- ( P = (_ is _) ; P =.. [N, _, _], memberchk(N, [<, >, =<, >=, =:=, =\=]) ), !.
handed(P, Places) :-
    P =.. [_|As],
    handed_(As, Places).

handed_([], _).
handed_([A|As], [P|Ps]) :- var(A), A == P, !, handed_(As, Ps).
handed_([A|As], Ps) :-
    add(body_arguments, 1),
    occurrences(A, S, V),
    add(body_symbols, S),
    add(body_variables, V),
    ( Ps = [_|Rest] -> true ; Rest = [] ),
    handed_(As, Rest).

evaluated(_ is E) :- !, functions(E).
evaluated(P) :- P =.. [N, A, B], memberchk(N, [<, >, =<, >=, =:=, =\=]), !, functions(A), functions(B).
evaluated(_).

functions(E) :-
    (   compound(E) ->
        functor(E, N, A),
        format(atom(Event), "op(~w/~w)", [N, A]),
        add(Event, 1),
        E =.. [_|As],
        maplist(functions, As)
    ;   true
    ).

case(Name, Goal, N) :-
    member(Name, [len/2, nrev/2, isort/2, pos/2, sub/2, dup/2, allsq/2, anyneg/1, mx/2, zero/2, sel/2, clean/2, small/2, rises/2, marks/1]),
    member(N, [0, 1, 2, 3, 5, 6]),
    member(_, [1, 2, 3]),
    length(L, N),
    maplist([X]>>random_between(-3, 5, X), L),
    Name = F/A,
    functor(Goal, F, A),
    arg(1, Goal, L).
case(Name, Goal, N) :-
    member(Name, [fact/2, cd/1, sign/2, cls/2, kinds/2]),
    member(N, [-2, 0, 1, 2, 5, 9]),
    \+ ( Name == fact/2, N < 0 ),
    Name = F/A,
    functor(Goal, F, A),
    arg(1, Goal, N).
