% The clauses that ship for libraries against those of SWI-Prolog: answers and their order, choice points that are left, exceptions, and clause
% entries up to the first solution and over all.
%
% swipl tests/trust/library.pl -- SEED RUNS FILE…    prints a line for each difference, then how many calls were compared.
%
% A file is called as its library. All of them are loaded into one module, as the embedded machine does. Of a predicate with few arguments
% all combinations of values are tried, of others RUNS of them.
:- module(shipped_library, [compared/3]).
:- use_module(steps).
:- use_module(library(lists)).
:- use_module(library(apply)).
:- use_module(library(pairs)).
:- use_module(library(sort)).
:- use_module(library(solution_sequences)).
:- use_module(library(backcomp)).
:- use_module(library(random)).
:- use_module(library(error)).
:- use_module(library(yall)).
:- initialization(main, main).

main :-
    current_prolog_flag(argv, Argv),
    ( append(_, [--|Rest], Argv) -> true ; Rest = Argv ),
    Rest = [Seed, Runs|Files],
    atom_number(Seed, S), atom_number(Runs, N),
    compared(S, N, Files).

%! compared(+Seed, +Runs, +Files) is det.
compared(Seed, Runs, Files) :-
    set_random(seed(Seed)),
    own:use_module(library(error)),
    forall(member(File, Files), own:load_files(File, [])),
    closures,
    % What libraries load when they first need it.
    catch(predsort(compare, none, _), _, true),
    set_prolog_flag(autoload, explicit),
    nb_setval(most_steps, 150),
    forall(member(Key, [compared, ended, raised, failed, several]), nb_setval(Key, 0)),
    findall(M:P, ( member(File, Files), library_of(File, M), shipped(File, M, P) ), All0),
    sort(All0, All),
    forall(member(M:P, All), predicate(M, P, Runs)),
    length(All, Count),
    findall(Key-Value, ( member(Key, [compared, ended, raised, failed, several]), nb_getval(Key, Value) ), Figures),
    format("predicates ~w~n", [Count]),
    forall(member(Key-Value, Figures), format("~w ~w~n", [Key, Value])),
    forall(member(_:P, All), format("shipped ~q~n", [P])).

library_of(File, M) :- file_base_name(File, Base), file_name_extension(M, _, Base).

% The predicates of a text that its library, or the one for old programs, exports.
shipped(File, M, N/A) :-
    absolute_file_name(File, Path),
    predicate_property(own:H, file(Path)), predicate_property(own:H, number_of_clauses(_)), \+ predicate_property(own:H, imported_from(_)),
    functor(H, N, A), library_module(M, H, _).
library_module(M, H, In) :- member(In, [M, backward_compatibility]), catch(predicate_property(In:H, exported), _, fail), !.

predicate(M, N/A, Runs) :-
    functor(H, N, A),
    library_module(M, H, In),
    ( predicate_property(In:H, meta_predicate(Meta)) -> Meta =.. [_|Specs] ; length(Specs, A), maplist(=(?), Specs) ),
    maplist(pool, Specs, Pools),
    foldl([Pool, K0, K]>>( length(Pool, L), K is K0*L ), Pools, 1, All),
    (   All =< Runs
    ->  forall(maplist([Pool, V]>>member(V, Pool), Pools, Args), call_both(In, N, Args))
    ;   forall(between(1, Runs, _), ( maplist([Pool, V]>>random_member(V, Pool), Pools, Args0), shared(Args0, Args), call_both(In, N, Args) )) ).

% Now and then two arguments are one variable, or one is a part of another.
shared(Args0, Args) :- copy_term(Args0, Args), ( random_between(1, 6, 1), random_member(X, Args), random_member(Y, Args), var(X), X \== Y, ( var(Y) -> X = Y ; Y = [_|T], var(T) -> X = T ; true ) -> true ; true ).

pool(Spec, Pool) :- integer(Spec), !, findall(user:C, closure(Spec, C), Pool0), Pool = [_, 3, user:nope|Pool0].
pool(^, Pool) :- !, pool(0, Pool).
pool(_, Pool) :- values(Pool).

values([_, _, [], [1], [1,2,3], [3,1,2], [a,b,a], [b,a], [X,Y], [Z,Z], [X,a|Y], [2|_], [a,b|c], [_|x], a, 0, 1, 2, 3, -1, 100000000000000000000,
        1.5, "text", f(x), [[1],[2,3]], [[a]|_], [[a],b], [[],[_]|_], [a-1,b-2,a-3], [_-_], [k-_|_], [1-x,nopair], [1,a,_], [1.0,1], <, infinite,
        [1,2,3,4,5,6,7,8], a-b, [f(_),f(1)], [_,_|_]]).

% Closures of an arity, and their clauses: those that hold, fail, hold twice, raise, give back the first argument, and compute.
closure(0, true). closure(0, fail). closure(0, throw(ball)). closure(0, hold). closure(0, pick(_)).
closure(N, C) :- N > 0, member(C, [hold, never, twice, raise, first, total, more]).
closure(3, compare).
:- dynamic made/0.
closures :-
    retractall(made),
    forall(between(0, 7, N), ( functor(H, hold, N), assertz(user:H) )),
    assertz(user:pick(1)), assertz(user:pick(2)), assertz(user:pick(1)), assertz(user:pick(b)),
    forall(between(1, 7, N), closures(N)).
closures(N) :-
    length(As, N), last(As, Last), As = [First|_], append(Firsts, [_], As),
    H1 =.. [never|As], assertz(user:(H1 :- fail)),
    H2 =.. [twice|As], assertz(user:(H2 :- Last = First)), assertz(user:(H2 :- Last = b)),
    H3 =.. [raise|As], assertz(user:(H3 :- throw(ball(First)))),
    H4 =.. [first|As], assertz(user:(H4 :- Last = First)),
    H5 =.. [total|As], foldl([X, S, S+X]>>true, Firsts, 0, Sum), assertz(user:(H5 :- Last is Sum)),
    H6 =.. [more|As], assertz(user:(H6 :- nonvar(First), First @> b)).

% What takes too many steps for the interpreter may not end, and is not run.
call_both(Library, Name, Args) :-
    Goal =.. [Name|Args],
    count(compared),
    steps_of(Library, Goal, StepsThere), steps_of(own, Goal, StepsHere),
    (   StepsThere \== StepsHere -> differs(Goal, StepsThere, StepsHere)
    ;   StepsThere == many -> true
    ;   outcome(Library, Goal, There), outcome(own, Goal, Here),
        There = Answers-End,
        ( End == done -> count(ended) ; End = raised(_) -> count(raised) ; true ),
        ( There == []-done -> count(failed) ; Answers = [_,_|_] -> count(several) ; true ),
        ( There =@= Here -> true ; differs(Goal, There, Here) ) ).

count(Key) :- nb_getval(Key, N0), N is N0+1, nb_setval(Key, N).

differs(Goal, There, Here) :-
    \+ \+ ( numbervars(Goal-There-Here, 0, _), format("differs ~q~n    there ~q~n    here  ~q~n", [Goal, There, Here]) ).

steps_of(Module, Goal, Steps) :-
    copy_term(Goal, Copy),
    steps(Module:Copy, 6, First, All),
    ( All >= 150 -> Steps = many ; Steps = steps(First, All) ).

% At most six answers, each with what it leaves: a choice point or none.
outcome(Module, Goal0, Answers-End) :-
    copy_term(Goal0, Goal),
    State = found([], 0),
    catch(ignore(( answer(Module:Goal, Left), one_more(State, Goal-Left, N), N >= 6 )), Ball, true),
    arg(1, State, Reversed), reverse(Reversed, Answers),
    (   nonvar(Ball) -> plain(Ball, End0), End = raised(End0)
    ;   arg(2, State, 6) -> End = enough
    ;   End = done ).
answer(Goal, Left) :- call_cleanup(Goal, Done = true), ( Done == true -> Left = none ; Left = choice_point ).
one_more(State, Answer, N) :-
    arg(1, State, Before), arg(2, State, N0), N is N0+1,
    duplicate_term([Answer|Before], After),
    nb_setarg(1, State, After), nb_setarg(2, State, N).

% An exception without its context, and without the modules of the two texts: closures are qualified with them.
plain(error(E0, _), error(E, _)) :- !, without_modules(E0, E).
plain(E, E).

without_modules(T, T) :- \+ compound(T), !.
without_modules(M:T0, T) :- atom(M), M \== user, !, without_modules(T0, T).
without_modules(T0, T) :- compound_name_arguments(T0, N, As0), maplist(without_modules, As0, As), compound_name_arguments(T, N, As).
