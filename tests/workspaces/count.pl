% Loads main.pl of the current folder into `user` and says of each predicate of the folder's files how many resolution steps
% all its solutions take: lines of FILE NAME ARITY OUTCOME STEPS, separated by tabs. The outcome is `other` unless the clauses of its
% module are those of the file, and the file has clauses for this name in no other module.
:- module('$costlens_count', []).
:- set_module(base(system)).

:- dynamic steps/1.

go :-
    working_directory(Here, Here),
    catch(load_files(user:'main.pl', [silent(true)]), _, true),
    forall(( source_file(File), atom_concat(Here, Name, File) ), of_file(File, Name)).

of_file(File, Name) :-
    forall(( source_file(M:Head, File), arguments_unbound(Head) ), of_predicate(File, Name, M, Head)).

arguments_unbound(Head) :- functor(Head, Name, Arity), functor(Head, Name, Arity).

of_predicate(File, Name, M, Head0) :-
    functor(Head0, P, A),
    functor(Head, P, A),
    ( whole(M, Head, File) ->
        retractall(steps(_)), assertz(steps(0)),
        catch(( solve(M, Head), fail ; Outcome = complete ), Ball, outcome(Ball, Outcome)),
        steps(Steps)
    ;   Outcome = other, Steps = 0
    ),
    format("~w\t~w\t~w\t~w\t~w~n", [Name, P, A, Outcome, Steps]).

outcome(error(Formal, _), Outcome) :- !, functor(Formal, Outcome, _).
outcome(_, exception).

% All clauses that the module has are those of the file, which has no others for the name (`m1:r(_) :- …`).
whole(M, Head, File) :-
    \+ ( source_file(Other:Head, File), Other \== M ),
    \+ predicate_property(M:Head, imported_from(_)),
    \+ predicate_property(M:Head, dynamic),
    predicate_property(M:Head, number_of_clauses(N)), N > 0,
    \+ ( clause(M:Head, _, Ref), \+ clause_property(Ref, file(File)) ).

solve(_, G) :- var(G), !, throw(error(instantiation_error, _)).
solve(M, (A, B)) :- !, solve(M, A), solve(M, B).
solve(_, M:G) :- !, solve(M, G).
solve(_, true) :- !.
solve(M, call(G)) :- !, solve(M, G).
solve(M, G) :- G =.. [call, F | More], !, ( F = M1:F1 -> true ; M1 = M, F1 = F ), F1 =.. L0, '$append'(L0, More, L), H =.. L, solve(M1, H).
solve(_, A = B) :- !, A = B.
solve(M, (C -> T ; E)) :- !, ( solve(M, C) -> solve(M, T) ; solve(M, E) ).
solve(M, (C -> T)) :- !, ( solve(M, C) -> solve(M, T) ).
solve(M, (A ; B)) :- !, ( solve(M, A) ; solve(M, B) ).
solve(M, \+ G) :- !, \+ solve(M, G).
solve(M, forall(C, A)) :- !, \+ ( solve(M, C), \+ solve(M, A) ).
solve(M, G) :-
    ( catch('$define_predicate'(M:G), _, fail) -> true ; functor(G, P, A), throw(error(existence_error(procedure, M:P/A), _)) ),
    ( predicate_property(M:G, imported_from(D)) -> true ; D = M ),
    ( interpreted(D, G) ->
        context(M, D, G, C), qualified(M, D, G, Q),
        clause(D:Q, Body), step, solve(C, Body)
    ;   call(M:G)
    ).

interpreted(D, G) :- predicate_property(D:G, number_of_clauses(_)), \+ built_in(D, G).

% Clauses of the system itself are not the library's: built-ins take no step.
built_in(D, G) :- predicate_property(D:G, file(File)), current_prolog_flag(home, Home), atom_concat(Home, '/boot', Boot), sub_atom(File, 0, _, _, Boot).

context(M, D, G, M) :- predicate_property(D:G, transparent), \+ predicate_property(D:G, meta_predicate(_)), !.
context(_, D, _, D).

% Closures arrive with the module of the caller.
qualified(M, D, G, Q) :-
    predicate_property(D:G, meta_predicate(Spec)), !,
    Spec =.. [Name|Modes], G =.. [_|Args], with_module(Modes, Args, M, Qs), Q =.. [Name|Qs].
qualified(_, _, G, G).

with_module([], [], _, []).
with_module([Mode|Modes], [A|As], M, [Q|Qs]) :-
    ( ( integer(Mode) ; Mode == (:) ; Mode == (^) ; Mode == (//) ), \+ ( nonvar(A), A = _:_ ) -> Q = M:A ; Q = A ),
    with_module(Modes, As, M, Qs).

% Nothing that is compared takes so many.
step :- retract(steps(N)), N1 is N+1, assertz(steps(N1)), ( N1 > 10000 -> throw(limit) ; true ).
