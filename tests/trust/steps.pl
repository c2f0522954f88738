% Resolution steps of a call, counted as docs/bounds.md defines them: clauses of library predicates that SWI-Prolog has in Prolog are run by an
% interpreter; a step is a clause that is entered, its head unified and its leading tests passed. What costs no step is called as it is.
:- module(steps, [steps/4, free_of_steps/1]).
:- use_module(library(lists), [member/2, append/3]).
:- use_module(library(apply), [maplist/4]).
:- use_module(library(error), [instantiation_error/1, type_error/2]).

% A run is cut off behind these.
:- nb_setval(most_steps, 20000).

% Predicates of which the files of built-ins say that they take no step: asserted by who reads them. must_be/2 has rules of its own.
:- dynamic free_of_steps/1.
free_of_steps(must_be/2).

%! steps(:Goal, +Most, -First, -All) is det.
%  Clause entries up to the first solution, the failure or the exception, and over all solutions (the first `Most`).
:- meta_predicate steps(0, +, -, -).
steps(M:Goal, Most, First, All) :-
    nb_setval(steps, 0), nb_setval(first_steps, none), nb_setval(found, 0),
    catch(( run(Goal, M, none), solution(Most) -> true ; true ), E, ( E = '$cut'(_) -> throw(stray_cut) ; true )),
    nb_getval(steps, All),
    nb_getval(first_steps, F), ( F == none -> First = All ; First = F ).

solution(Most) :-
    ( nb_getval(first_steps, none) -> nb_getval(steps, S), nb_setval(first_steps, S) ; true ),
    nb_getval(found, N), N1 is N+1, nb_setval(found, N1), N1 >= Most.

step :- nb_getval(steps, N), N1 is N+1, ( nb_getval(most_steps, Most), N1 > Most -> throw(too_many) ; true ), nb_setval(steps, N1).

% A cut is undone to its clause's entry by an exception on backtracking.
run(G, _, _) :- var(G), !, instantiation_error(G).
run(true, _, _) :- !.
run(otherwise, _, _) :- !.
run(!, _, Cut) :- !, ( true ; throw('$cut'(Cut)) ).
run((A, B), M, Cut) :- !, run(A, M, Cut), run(B, M, Cut).
run((A -> B ; C), M, Cut) :- !, ( run(A, M, none) -> run(B, M, Cut) ; run(C, M, Cut) ).
run((A *-> B ; C), M, Cut) :- !, ( run(A, M, none) *-> run(B, M, Cut) ; run(C, M, Cut) ).
run((A ; B), M, Cut) :- !, ( run(A, M, Cut) ; run(B, M, Cut) ).
run((A | B), M, Cut) :- !, ( run(A, M, Cut) ; run(B, M, Cut) ).
run((A -> B), M, Cut) :- !, ( run(A, M, none) -> run(B, M, Cut) ).
run((A *-> B), M, Cut) :- !, run(A, M, none), run(B, M, Cut).
run(\+ A, M, _) :- !, \+ opaque(A, M).
run(not(A), M, _) :- !, \+ opaque(A, M).
run(once(A), M, _) :- !, once(opaque(A, M)).
run(ignore(A), M, _) :- !, ignore(opaque(A, M)).
run(forall(A, B), M, _) :- !, \+ ( opaque(A, M), \+ opaque(B, M) ).
run(findall(T, A, L), M, _) :- !, findall(T, opaque(A, M), L).
run(findall(T, A, L, R), M, _) :- !, findall(T, opaque(A, M), L, R).
run(bagof(T, A, L), M, _) :- !, inside(A, M, B), bagof(T, B, L).
run(setof(T, A, L), M, _) :- !, inside(A, M, B), setof(T, B, L).
run(catch(A, B, C), M, _) :- !,
    catch(opaque(A, M), E, ( E = '$cut'(_) -> throw(E) ; E == too_many -> throw(E) ; E = B -> opaque(C, M) ; throw(E) )).
run(setup_call_cleanup(S, A, C), M, _) :- !, once(opaque(S, M)), setup_call_cleanup(true, opaque(A, M), ignore(opaque(C, M))).
run(call_cleanup(A, C), M, _) :- !, run(setup_call_cleanup(true, A, C), M, none).
run(with_mutex(_, A), M, _) :- !, once(opaque(A, M)).
run(M:G, _, _) :- !, opaque(G, M).
run(@(G, _), M, _) :- !, opaque(G, M).
run(G, M, _) :- G =.. [call, G0|More], !, strip_module(M:G0, M1, G1), more(G1, More, G2), opaque(G2, M1).
run(G, M, _) :- home(G, M, Home), !, qualified(G, M, Home, Q), clauses(Q, Home).
run(G, M, _) :- M:G.

% The goal of a bagof/3: what stands before `^` stays there.
inside(A, M, steps:opaque(A, M)) :- var(A), !.
inside(V^A, M, V^B) :- !, inside(A, M, B).
inside(A, M, steps:opaque(A, M)).

more(G, More, All) :- callable(G), !, G =.. [N|As], append(As, More, Bs), All =.. [N|Bs].
more(G, _, _) :- type_error(callable, G).

% A cut inside is local.
opaque(G, M) :- flag(cuts, Id, Id+1), catch(run(G, M, Id), '$cut'(Id), fail).

% The module of a predicate with clauses in Prolog that count.
home(G, M, Home) :-
    functor(G, Name, Arity), \+ free_of_steps(Name/Arity),
    ( predicate_property(M:G, imported_from(Home)) -> true ; catch(predicate_property(M:G, defined), _, fail), Home = M ),
    Home \== system,
    \+ predicate_property(Home:G, foreign),
    predicate_property(Home:G, number_of_clauses(_)).

% Arguments that are called belong to the module of the caller.
qualified(G, M, Home, Q) :-
    M \== Home, predicate_property(Home:G, meta_predicate(Spec)), !,
    G =.. [N|As], Spec =.. [_|Ss], maplist(in_module(M), Ss, As, Bs), Q =.. [N|Bs].
qualified(G, _, _, G).
in_module(M, S, A, B) :- ( integer(S) ; S == (:) ; S == (^) ; S == (//) ), !, ( nonvar(A), A = _:_ -> B = A ; B = M:A ).
in_module(_, _, A, A).

clauses(G, Home) :-
    flag(cuts, Id, Id+1),
    catch(clause_of(G, Home, Id), '$cut'(Id), fail).

clause_of(G, Home, Id) :-
    functor(G, N, A), functor(General, N, A),
    findall(Rule, ( rule(Home:General, R), plain(R, Rule) ), Rules),
    ( member(Any, Rules), single_sided(Any) -> Missing = throw(error(existence_error(matching_rule, G), _)) ; Missing = fail ),
    (   member(Rule, Rules), enter(Rule, G, Body, Home), step, after(Rule, Id), run(Body, Home, Id)
    ;   Missing ).

% Rules with the head's module taken away.
plain(R0, R) :- ( R0 = (_:R1), R1 = (_ :- _) -> plain(R1, R) ; R0 = (H => B) -> head(H, H1), R = (H1 => B) ; R0 = (H :- B) -> head(H, H1), R = (H1 :- B)
                ; head(R0, H1), R = (H1 :- true) ).
head((H0, G), (H, G)) :- !, head(H0, H).
head(_:H0, H) :- !, head(H0, H).
head(H, H).

single_sided((_ => _)).

after((_ => _), Id) :- !, ( true ; throw('$cut'(Id)) ).
after(_, _).

enter((H, Guard => B), G, B, Home) :- !, subsumes_term(H, G), H = G, run(Guard, Home, none).
enter((H => B), G, B, _) :- !, subsumes_term(H, G), H = G.
enter((H :- B), G, B, Home) :- H = G, leading(B, Home).

% The tests that a body begins with have to hold; they run again with the body, which costs nothing.
leading((A, B), M) :- nonvar(A), test(A), !, catch(M:A, _, fail), leading(B, M).
leading(A, M) :- nonvar(A), test(A), !, catch(M:A, _, fail).
leading(_, _).

test(G) :- functor(G, N, A), memberchk(N/A, [(<)/2, (>)/2, (=<)/2, (>=)/2, (=:=)/2, (=\=)/2, (==)/2, (\==)/2, (@<)/2, (@>)/2, (@=<)/2, (@>=)/2,
    var/1, nonvar/1, atom/1, integer/1, number/1, float/1, rational/1, atomic/1, compound/1, callable/1, is_list/1, string/1, ground/1]).
