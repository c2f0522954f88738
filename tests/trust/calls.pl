% Calls of built-ins and library predicates, with right and wrong arguments, against what Costlens says of programs that make them.
%
% swipl tests/trust/calls.pl -- program SEED MANY FOLDER FILE…    writes programs for `costlens bounds` into a folder: the files of assertions say of what
% swipl tests/trust/calls.pl -- compare SEED RUNS FOLDER FILE…    runs them on inputs of their patterns: `false …` for each claim that does not hold
% swipl tests/trust/calls.pl -- goals SEED MANY FILE…             goals with their arguments, for the machine
%
% `claims.pl` in the folder has what was said: claim(Name, Said), one for each predicate (tests/trust/calls.rs).
:- op(1150, fy, trust). :- op(200, fy, ?).
:- op(1150, fy, pred).
:- op(1150, fy, trust_default).
:- op(1150, fy, regtype).
:- op(1100, xfy, or). :- op(700, xfx, <=).
:- use_module(steps). :- use_module(values).
:- use_module(library(lists)). :- use_module(library(apply)). :- use_module(library(pairs)). :- use_module(library(aggregate)).
:- use_module(library(random)). :- use_module(library(error)). :- use_module(library(option)).
:- set_prolog_flag(stack_limit, 100 000 000).
:- initialization(main, main).

:- multifile prolog:assertion_failed/2.
prolog:assertion_failed(_, G) :- throw(assertion_failed(G)).

% Type, predicate; arguments with their modes and types.
:- dynamic stated/2, claim/2, parameters/2.

main(Argv) :-
    ( append(_, [--|Rest], Argv) -> true ; Rest = Argv ),
    Rest = [Mode, Seed, Many|More],
    atom_number(Seed, S), atom_number(Many, N),
    set_random(seed(S)),
    run(Mode, N, More).

run(program, Many, [Folder|Files]) :-
    maplist(read_heads, Files),
    programs(0, Many, Folder).
run(compare, Runs, [Folder|Files]) :-
    maplist(read_heads, Files),
    assertz(steps:free_of_steps(assertion/1)),
    forall(stated(P, _), ( steps:free_of_steps(P) -> true ; in_library(P) -> true ; assertz(steps:free_of_steps(P)) )),
    compare(Folder, Runs).
run(goals, Many, Files) :-
    maplist(read_heads, Files),
    forall(between(1, Many, _), a_goal).

read_heads(File) :- setup_call_cleanup(open(File, read, In), heads(In), close(In)).
heads(In) :-
    repeat,
    read_term(In, T, [module(user)]),
    (   T == end_of_file -> !
    ;   T = (:- trust pred Line), ( Line = (Head + _) -> true ; Head = Line ),
        functor(Head, N, A), \+ left_out(N/A), \+ left_out(N/_), functor(G, N, A), known(G),
        assertz(stated(N/A, Head)), fail ).
known(G) :- predicate_property(system:G, defined), !.
known(G) :- functor(G, N, A), in_library(N/A).

% --- programs

% Goals of one file: what changes the database has files of its own.
most_goals(40).

programs(From, Many, _) :- From >= Many, !.
programs(From, Many, Folder) :-
    most_goals(Most), To is min(Many, From+Most),
    format(atom(File), "~w/calls_~d.pl", [Folder, From]),
    setup_call_cleanup(open(File, write, Out, [encoding(utf8)]), program(From, To, Out), close(Out)),
    programs(To, Many, Folder).

program(From, To, Out) :-
    format(Out, ":- encoding(utf8).~nw.~n", []),
    forall(( between(From, To, I), I < To ), ( goal(Goal, Parameters), written(I, Goal, Parameters, Out) )).

written(I, Goal, Parameters, Out) :-
    pairs_keys_values(Parameters, Variables, Types),
    random_member(Another, [a, u, n, f, o]), member(Kind, [t, c, Another]),
    atom_concat(Kind, I, Name), Head =.. [Name|Variables],
    body(Kind, Goal, Variables, Body),
    maplist(declared, Types, Declared), Modes =.. [Name|Declared],
    \+ \+ ( copy_term(Modes, Copy), numbervars((Head :- Body)/Copy, 0, _),
       format(Out, ":- pred ~W.~n~W.~n", [Copy, [quoted(true), numbervars(true), portray(false)], (Head :- Body), [quoted(true), numbervars(true), portray(false)]]) ),
    fail.
written(_, _, _, _).

% The call alone, caught, as a condition, negated, with all its solutions, once, and with a test of a type behind it.
body(t, G, _, G).
body(c, G, _, catch(G, _, (w, w))).
body(a, G, _, ( G -> w ; true )).
body(n, G, _, ( \+ G, w )).
body(f, G, _, ( findall(x, G, L), ( L == [] -> w ; true ) )).
body(o, G, _, ( once(G), w ; w )).
body(u, G, Vs, ( G, ( Test -> w ; true ) )) :-
    Vs \== [], random_member(V, Vs),
    random_member(Test, [integer(V), atom(V), string(V), is_list(V), number(V), atomic(V), compound(V), ground(V), var(V), nonvar(V), callable(V), V == [], V = [_|_], V > 0]).

declared(var, -_) :- !.
declared(any, ?_) :- !.
declared(nonvar, +_) :- !.
declared(T, +(_:T)).

% A call, and its variables that are arguments of the clause, with their types.
goal(Goal, Parameters) :-
    repeat,
    (   random_between(0, 5, 0)
    ->  findall(G, template(G), Gs), random_member(Template, Gs), holes(Template, Goal, [], Holes), maplist(any_type, Holes, Types), Args = Holes
    ;   findall(P, stated(P, _), Ps0), sort(Ps0, Ps), random_member(N/A, Ps),
        findall(Ts, ( stated(N/A, Head), Head =.. [_|As], maplist(type_of, As, Ts) ), Lines),
        random_member(Line, Lines), functor(Goal, N, A), Goal =.. [_|Args], maybe_other(Line, Types) ),
    !,
    maplist(argument, Args, Types, Found), append(Found, Parameters0),
    once_each(Parameters0, Parameters).

any_type(_, T) :- type(T).

type_of(A0, T) :- nonvar(A0), strip(A0, Mode, A), !, ( Mode == (-) -> T = var ; nonvar(A), A = _:T0 -> narrower(T0, T) ; Mode == (+) -> T = nonvar ; T = any ).
type_of(_, any).
strip(+A, +, A). strip(-A, -, A). strip(?A, ?, A).
narrower(nat, int) :- !.
narrower(positive_integer, int) :- !.
narrower(T, T).

% Right types, wrong ones in one place or two, or any.
maybe_other(Line, Types) :- random_between(0, 3, R), ( R =:= 0 -> maplist(any_type, Line, Types) ; R =:= 1 -> Types = Line ; other(Line, One), ( R =:= 2 -> Types = One ; other(One, Types) ) ).
other([], []).
other(Line, Types) :- length(Line, N), N > 0, random_between(1, N, I), nth1(I, Line, _, Rest), type(T), nth1(I, Types, T, Rest).

% An argument is a variable of the head, a term that is written there, or one around such a variable.
argument(A, Type, Found) :-
    random_between(0, 9, R),
    (   R < 6 -> Found = [A-Type]
    ;   R < 9, Type \== var -> value(Type, A), term_variables(A, Vs), maplist(as_any, Vs, Found0), ( maybe -> Found = Found0 ; Found = [] )
    ;   random_member(A-Vs, [f(X)-[X], [X]-[X], [X|Y]-[X, Y], [a|X]-[X], (X-Y)-[X, Y], f(X, X)-[X]]), maplist(typed, Vs, Found) ).
as_any(V, V-any).
typed(V, V-T) :- type(T).

% Now and then two are one.
once_each(Parameters0, Parameters) :-
    (   random_between(0, 11, 0), select(V-var, Parameters0, Rest), member(W-T, Rest), V \== W
    ->  V = W, Parameters = Rest, ( T == var -> true ; true )
    ;   Parameters = Parameters0 ).

% `'$'` is an argument.
holes('$', V, Hs, [V|Hs]) :- !.
holes(T, T, Hs, Hs) :- \+ compound(T), !.
holes(T0, T, Hs0, Hs) :- T0 =.. [N|As0], foldl(holes, As0, As, Hs0, Hs), T =.. [N|As].

template(is('$', '$')). template(is('$', '$'+'$')). template(is('$', '$'*2)). template(is('$', '$' mod '$')). template(is('$', max('$', '$'))). template(is('$', sqrt('$'))).
template(is('$', '$'//'$')). template(is('$', abs('$'))). template(is('$', '$'/'$')). template(is('$', '$'<<'$')). template(is('$', '$'^2)).
template('$' < '$'). template('$'+1 =< '$'). template('$' =:= '$'). template('$' =\= '$'+1). template('$' = '$'). template('$' = f('$', '$')). template('$' \= '$').
template('$' == '$'). template('$' \== '$'). template('$' @< '$'). template('$' @>= '$').
template(atom('$')). template(integer('$')). template(number('$')). template(var('$')). template(nonvar('$')). template(compound('$')). template(callable('$')).
template(is_list('$')). template(string('$')). template(atomic('$')). template(float('$')). template(rational('$')). template(ground('$')). template(is_assoc('$')). template(is_dict('$')).
template(length('$', '$')). template(length('$', '$')). template(between('$', '$', '$')). template(between('$', inf, '$')). template(between(1, '$', '$')).
template(findall(X, member(X, '$'), '$')). template(findall(X-'$', member(X, '$'), '$')). template(findall(X, member(X, '$'), '$', '$')). template(findall('$', '$' = '$', '$')).
template(bagof(X, member(X, '$'), '$')). template(setof(X, member(X, '$'), '$')). template(bagof(X, member(X-_, '$'), '$')). template(setof(X-'$', member(X, '$'), '$')).
template(forall(member(X, '$'), X = '$')). template(forall(member(X, '$'), X > '$')). template(\+ member('$', '$')).
template(aggregate_all(count, member(_, '$'), '$')). template(aggregate_all(sum(X), member(X, '$'), '$')). template(aggregate_all(max(X), member(X, '$'), '$')).
template(aggregate_all(min(X), member(X, '$'), '$')). template(aggregate_all(max(X, X), member(X, '$'), '$')). template(aggregate_all(max(X-Y), member(X-Y, '$'), '$')). template(aggregate_all(min(X, Y), member(X-Y, '$'), '$')).
template(aggregate_all(bag(X), member(X, '$'), '$')). template(aggregate_all(set(X), member(X, '$'), '$')). template(aggregate_all(max('$'), true, '$')). template(aggregate_all(sum('$'), true, '$')).
template(aggregate_all(count, '$' = '$', '$')). template(aggregate_all(max('$', '$'), true, '$')). template(aggregate_all(max(X), (X = '$' ; X = '$'), '$')).
template(aggregate_all('$', true, '$')). template(aggregate_all(r(count, max(X)), member(X, '$'), '$')).
template(aggregate_all(count, X, member(X, '$'), '$')). template(aggregate_all(sum(X), X, member(X, '$'), '$')). template(aggregate_all(max(X), X, member(X, '$'), '$')).
template(must_be(integer, '$')). template(must_be(list, '$')). template(must_be(nonneg, '$')). template(must_be(atom, '$')). template(must_be(callable, '$')). template(must_be(boolean, '$')).
template(must_be(list(integer), '$')). template(must_be(positive_integer, '$')). template(must_be(var, '$')). template(must_be(string, '$')). template(must_be(number, '$')).
template(must_be('$', '$')). template(must_be(oneof([a, b]), '$')). template(must_be(between(1, 3), '$')). template(must_be(ground, '$')). template(must_be(proper_list, '$')). template(must_be(symbol, '$')).
template(must_be(list_or_partial_list, '$')). template(must_be(text, '$')). template(must_be(atomic, '$')). template(must_be(chars, '$')). template(must_be(char, '$')). template(must_be(code, '$')). template(must_be(codes, '$')).
template(is_of_type(integer, '$')). template(is_of_type(list, '$')). template(is_of_type('$', '$')).
template(format('$')). template(format('$', '$')). template(format(atom('$'), '$', '$')). template(format('$', "~w", '$')). template(format(string('$'), "~a", '$')). template(format("~d", '$')). template(format("~s", '$')).
template(format(codes('$', '$'), "~w", ['$'])). template(format(atom('$'), "~w~a", '$')). template(format("~e ~q", '$')).
template(with_output_to(atom('$'), write('$'))). template(with_output_to(string('$'), true)). template(with_output_to(codes('$'), write('$'))). template(with_output_to('$', true)). template(with_output_to(chars('$', '$'), write(a))).
template(sort('$', @>=, '$', '$')). template(sort(0, '$', '$', '$')). template(sort(1, @<, '$', '$')). template(predsort(compare, '$', '$')). template(sort(0, @>=, '$', '$')). template(sort(0, @=<, ['$', '$'], '$')).
template('$' =.. ['$', '$']). template('$' =.. ['$'|'$']). template(f('$') =.. '$'). template(split_string('$', ",", "", '$')). template(split_string("a,b", ",", '$', '$')). template(split_string("a,b", ",", "", ['$'|'$'])).
template(atomic_list_concat('$', ',', '$')). template(atomic_list_concat(['$', '$'], '$')). template(atomic_list_concat(['$', '$'], '$', '$')). template(atomic_list_concat('$', '', '$')).
template(atomic_list_concat(['$'|'$'], ',', '$')). template(sub_atom(abc, '$', '$', '$', '$')). template(sub_atom('$', '$', 1, '$', '$')). template(sub_string("abc", '$', '$', '$', '$')). template(sub_atom('$', 0, '$', _, '$')).
template(succ('$', 1)). template(succ('$', 0)). template(plus(1, '$', '$')). template(arg('$', f(a, b), '$')). template(arg(1, '$', '$')). template(arg('$', f('$'), '$')). template(functor('$', foo, '$')). template(functor('$', '$', 0)). template(functor(f(a), '$', '$')).
template(catch('$' = '$', '$', true)). template(catch(throw('$'), '$', true)). template(once('$' = '$')). template(ignore('$' = '$')). template(throw('$')). template(call('$')). template(call('$', '$')). template(not('$' = '$')).
template(nb_setval(key, '$')). template(b_setval('$', '$')). template(nb_setval('$', '$')). template((b_setval(v, '$'), b_getval(v, '$'))). template((nb_setval(v, '$'), nb_getval(v, '$'))). template(nb_getval('$', '$')).
template(number_vars('$')). template(number_codes('$', [0'1|'$'])). template(atom_codes('$', [0'1, '$'])). template(atom_chars('$', ['$', a])). template(atom_length(abc, '$')). template(atom_length('$', 3)). template(string_length("abc", '$')).
template(number_codes('$', "12")). template(atom_number('12', '$')). template(atom_number('$', 12)). template(char_code(a, '$')). template(char_code('$', 97)). template(upcase_atom('$', 'ABC')). template(term_to_atom('$', 'f(X)')). template(term_to_atom(f('$'), '$')).
template(string_code(1, '$', '$')). template(string_code('$', "abc", '$')). template(char_type('$', digit('$'))). template(char_type(a, '$')). template(char_type('$', to_lower('$'))). template(code_type('$', alpha)). template(char_type('$', alpha)).
template(tab('$')). template(nl('$')). template(write('$', '$')). template(put_char('$')). template(print_message(silent, '$')). template(writeq('$')). template(write_term('$', [])). template(write_term('$', '$')). template(write_canonical('$')).
template(copy_term('$'-'$', '$')). template(copy_term(f('$'), '$')). template(copy_term('$', f('$'))). template(compare(<, '$', '$')). template(compare('$', 1, '$')). template(setarg('$', f(a), '$')). template(nb_setarg(1, f(a), '$')). template(setarg(1, '$', '$')).
template(string_concat(abc, '$', '$')). template(atom_concat('$', '$', abc)). template(atom_concat(a, '$', '$')). template(atom_concat('$', b, '$')). template(string_concat('$', '$', "ab")). template(string_chars('$', "ab")). template(text_concat('$', '$', '$')). template(text_concat('$', '$', abc)).
template(length(['$'|'$'], '$')). template(length('$', 2)). template(length('$', -1)). template(msort(['$', '$'], '$')). template(sort(['$'|'$'], '$')). template(sort('$', ['$'|'$'])). template(keysort(['$'-'$'], '$')). template(keysort('$', [a-'$'])). template(keysort(['$'], '$')).
template(memberchk('$', [a, '$'])). template(memberchk('$', ['$'|'$'])). template(nb_current('$', '$')). template(term_variables('$'+'$', ['$'|'$'])). template(term_variables('$', [])). template(tab(user_output, '$')). template(number_vars('$', '$', '$')).
template(ground('$'-'$')). template(assertion('$' = '$')). template(assertion(integer('$'))). template(unify_with_occurs_check('$', f('$'))). template('$' =@= '$'). template(subsumes_term(f('$'), '$')). template(term_subsumer('$', '$', '$')). template(tnot('$')).
template(setup_call_cleanup('$' = '$', '$' == '$', true)). template(call_cleanup('$' = a, true)). template(apply(format, ['$'])). template(string_code(0, '$', '$')). template(nth_clause('$', '$', '$')). template(clause('$', '$')). template(current_op('$', '$', '$')). template(current_op('$', xfx, '$')). template(op('$', xfx, '$')).
template(assertz('$')). template(assertz((foo('$') :- '$'))). template(retract(foo('$'))). template(retractall(foo('$'))). template(retractall('$')). template(abolish(foo/'$')). template(current_prolog_flag(bounded, '$')). template(current_prolog_flag('$', '$')).
template(maplist(integer, '$')). template(maplist(succ, '$', '$')). template(maplist(atom_length, '$', '$')). template(foldl(plus, '$', 0, '$')). template(include(integer, '$', '$')). template(exclude(atom, '$', '$')). template(partition(integer, '$', '$', '$')).
template(numbervars('$', 0, '$')). template(numbervars('$', '$', '$')). template(numbervars(f('$', '$'), 23, '$')). template(tab(1+'$')). template(atom_to_term('$', '$', '$')). template(atom_to_term('foo(X,Y)', '$', '$')). template(term_string('$', "f(X)")). template(sformat('$', "a", '$')). template(read_term_from_atom('$', '$', [])).
template(phrase(foo, '$')) :- fail.
template(nb_setval(k, '$')). template(dict_pairs('$', t, [k-'$'])). template(get_dict(k, '$', '$')). template(get_dict('$', point{x:1}, '$')). template(put_dict('$', point{x:1}, '$', '$')). template(del_dict(x, point{x:1}, '$', '$')). template(dict_pairs(point{x:1}, '$', '$')).
template(date_time_stamp('$', '$')). template(stamp_date_time(0, '$', '$')). template(stamp_date_time('$', '$', 'UTC')). template(format_time(atom('$'), '%d', '$')). template(tab(-1)). template(char_code('$', '$')).

% Library predicates. Those with closures have templates.
in_library(P) :- library(Ps), memberchk(P, Ps).
library([append/3, append/2, member/2, memberchk/2, select/3, selectchk/3, select/4, subtract/3, permutation/2, delete/3, exclude/3, reverse/2, nth0/3, nth1/3, nth0/4, nth1/4, last/2,
    proper_length/2, msort/2, sum_list/2, sumlist/2, max_list/2, min_list/2, max_member/2, min_member/2, numlist/3, is_set/1, list_to_set/2, intersection/3, union/3, subset/2, flatten/2, exclude_one/3,
    sumlist/3, pairs_keys_values/3, pairs_keys/2, pairs_values/2, transpose_pairs/2, same_length/2, prefix/2, subseq/3, max_assoc/3, last/2, pairs/3, permutation/2, clumped/2, sort/4, predsort/3, list_to_ord_set/2]).

% --- goals for the machine

a_goal :-
    goal(G, Parameters), !, maplist(bound_to_value, Parameters),
    (   harmful(G) -> a_goal ; \+ \+ ( numbervars(G, 0, _), format("~W~n", [G, [quoted(true), numbervars(true), portray(false)]]) ) ).
bound_to_value(V-T) :- ( var(V) -> value(T, V) ; true ).

% --- comparison

compare(Folder, Runs) :-
    atom_concat(Folder, '/claims.pl', Claims), load_claims(Claims),
    atom_concat(Folder, '/calls_*.pl', Pattern), expand_file_name(Pattern, Files),
    forall(member(F, Files), load_program(F)),
    nb_setval(compared, 0), nb_setval(goals, 0), nb_setval(excluded, 0), nb_setval(raised, 0), nb_setval(false, 0),
    working_directory(_, Folder),
    forall(claim(Name, Said), compared(Name, Said, Runs)),
    nb_getval(compared, C), nb_getval(goals, G), nb_getval(excluded, E), nb_getval(raised, R), nb_getval(false, F),
    format("predicates ~d compared ~d excluded ~d raised ~d false ~d~n", [G, C, E, R, F]).

% Read as terms, since 9.0.4 and later versions load files differently where there is no file system.
load_claims(File) :- setup_call_cleanup(open(File, read, In, [encoding(utf8)]), each_term(In, T, assertz(T)), close(In)).
load_program(File) :- setup_call_cleanup(open(File, read, In, [encoding(utf8)]), each_term(In, T, clause_or_modes(T)), close(In)).
each_term(In, T, Goal) :- repeat, catch(read_term(In, Read, [module(user)]), error(syntax_error(_), _), Read = (:- unread)), ( Read == end_of_file -> ! ; \+ \+ ( T = Read, call(Goal) ), fail ).
clause_or_modes((:- pred Modes)) :- !, Modes =.. [Name|Args], maplist(type_of, Args, Types), assertz(parameters(Name, Types)).
clause_or_modes((:- _)) :- !.
clause_or_modes(w) :- catch(clause(w, _), _, fail), !.
clause_or_modes(Clause) :- catch(assertz(user:Clause), error(type_error(_, _), _), true).

compared(Name, Said, Runs) :-
    parameters(Name, Types), !,
    bump(goals), ( Said.errors == excluded -> bump(excluded) ; true ),
    forall(between(1, Runs, _), ( one(Name, Types, Said) -> true ; format("stuck ~q~n", [Name]) )).
compared(_, _, _).

bump(K) :- nb_getval(K, N), M is N+1, nb_setval(K, M).

one(Name, Types, Said) :-
    maplist(value, Types, Values), two_alike(Types, Values),
    Goal =.. [Name|Values],
    ( getenv('CALLS_SHOWN', _) -> format(user_error, "~q~n", [Goal]) ; true ),
    ( catch(user:clause(Goal, Body), _, fail) -> true ; Body = _ ),
    (   harmful(Body) -> true
    ;   Body = catch(Inner, _, _), copy_term(Inner, Alone), limited(answers(Alone, 1000, _, Stopped), 300000, Ended), ( Ended == exceeded ; var(Stopped) ; Stopped = raised(E0), beyond(E0) ) -> true
    ;   copy_term(Goal, Before), copy_term(Goal, ForSteps),
        limited(answers(Goal, 12, Answers0, End0), 300000, Result),
        (   Result == exceeded -> true
        ;   var(End0) -> true
        ;   End0 = raised(E), beyond(E) -> true
        ;   bump(compared), ( End0 = raised(_) -> bump(raised) ; true ),
            judge(Name, Before, Said, Answers0, End0),
            limited(with_output_to(string(_), steps(user:ForSteps, 40, First, All)), 1000000, R2),
            ( ( R2 == exceeded ; var(All) ) -> true ; judge_steps(Name, Before, Said, End0, Answers0, First, All) ) ) ).

% A goal that takes too long may catch what stops it.
limited(G, Most, Result) :-
    statistics(inferences, Before),
    catch(call_with_inference_limit(( G -> true ; true ), Most, R), _, R = inference_limit_exceeded),
    statistics(inferences, After),
    ( ( R == inference_limit_exceeded ; After - Before > Most ) -> Result = exceeded ; Result = done ).

% Memory and time are no exceptions of a program's.
beyond(error(resource_error(_), _)). beyond(inference_limit_exceeded). beyond(E) :- nonvar(E), E = '$aborted'. beyond(unwind(_)).

% Arguments that may be anything may share variables.
two_alike(Types, Values) :-
    (   random_between(0, 9, 0), nth1(I, Types, any), nth1(J, Types, any), I < J, nth1(I, Values, V), nth1(J, Values, W),
        term_variables(V, [X|_]), term_variables(W, [Y|_]), catch(X = Y, _, true), acyclic_term(Values) -> true ; true ).

answers(Goal, Most, Answers, End) :-
    State = found([], 0),
    catch(with_output_to(string(_), ignore(( user:call(Goal),
        arg(1, State, L), arg(2, State, N), ( acyclic_term(Goal) -> copy_term_nat(Goal, Copy) ; Copy = cyclic ), M is N+1, duplicate_term([Copy|L], D), nb_setarg(1, State, D), nb_setarg(2, State, M), M >= Most ))), E, true),
    arg(1, State, Answers),
    ( nonvar(E) -> End = raised(E) ; End = done ).

judge(Name, Before, Said, Answers, End) :-
    length(Answers, N),
    (   Said.errors == excluded, End = raised(E) -> false(Name, Before, raised(E)) ; true ),
    (   in_force(Said, Before)
    ->  ( solutions(Said.determinism, Least, Most), ( N > Most ; End == done, N < Least ) -> false(Name, Before, determinism(Said.determinism, N, End)) ; true ),
        ( at(Said.solutions_upper, Said, Before, U), N > U -> false(Name, Before, solutions_upper(Said.solutions_upper, N)) ; true ),
        ( End == done, N < 12, at(Said.solutions_lower, Said, Before, L), N < L -> false(Name, Before, solutions_lower(Said.solutions_lower, N)) ; true ),
        forall(( member(output(I, Metric, Low, High), Said.outputs), member(A, Answers), A \== cyclic, arg(I, A, V) ), output(Name, Before, Said, Metric, V, Low, High))
    ;   true ).

output(Name, Before, Said, Metric, V, Low, High) :-
    (   \+ measured(Metric, V, _) -> false(Name, Before, output(Metric, V))
    ;   measured(Metric, V, M),
        ( at(Low, Said, Before, L), M < L -> false(Name, Before, output_lower(Metric, V, Low)) ; true ),
        ( at(High, Said, Before, H), M > H -> false(Name, Before, output_upper(Metric, V, High)) ; true ) ).

judge_steps(Name, Before, Said, End, Answers, First, All) :-
    length(Answers, N),
    (   member(piece(When, Low, High), Said.pieces), holds(When, Said, Before)
    ->  ( at(High, Said, Before, H), All > H -> false(Name, Before, steps_upper(High, All)) ; true ),
        ( End == done, at(Low, Said, Before, L), First < L, \+ ( N >= 12, L == inf ) -> false(Name, Before, steps_lower(Low, First)) ; true )
    ;   true ),
    (   in_force(Said, Before)
    ->  ( at(Said.first_upper, Said, Before, F), First > F -> false(Name, Before, first_upper(Said.first_upper, First)) ; true ),
        ( End == done, at(Said.first_lower, Said, Before, G), First < G, \+ ( N >= 12, G == inf ) -> false(Name, Before, first_lower(Said.first_lower, First)) ; true ),
        ( End == done, N < 12, at(Said.all_lower, Said, Before, K), All < K -> false(Name, Before, all_lower(Said.all_lower, All)) ; true )
    ;   true ).

solutions(det, 1, 1). solutions(semidet, 0, 1). solutions(failure, 0, 0). solutions(multi, 1, inf). solutions(erroneous, inf, 0).

in_force(Said, Before) :-
    ( Said.condition == "" -> true ; holds(Said.condition, Said, Before) ),
    ( Said.except == "" -> true ; \+ holds(Said.except, Said, Before), \+ unclear(Said.except, Said, Before) ).
unclear(When, Said, Before) :- \+ catch(( term_string(T, When), region(T, Said, Before, _) ), _, fail).

holds("true", _, _) :- !.
holds(When, Said, Before) :- catch(( term_string(T, When), region(T, Said, Before, true) ), _, fail).
region((A or B), S, G, V) :- !, region(A, S, G, X), ( X == true -> V = true ; region(B, S, G, V) ).
region((A, B), S, G, V) :- !, region(A, S, G, X), ( X == true -> region(B, S, G, V) ; V = false ).
region(A = B, S, G, V) :- !, num(A, S, G, X), num(B, S, G, Y), ( X =:= Y -> V = true ; V = false ).
region(A <= B, S, G, V) :- !, num(A, S, G, X), num(B, S, G, Y), ( X =< Y -> V = true ; V = false ).
region(A >= B, S, G, V) :- !, num(A, S, G, X), num(B, S, G, Y), ( X >= Y -> V = true ; V = false ).
region(true, _, _, true).

% The value of an expression at the sizes of a call; fails for what is unknown.
at("", _, _, _) :- !, fail.
at("inf", _, _, inf) :- !.
at(Text, Said, Before, V) :- catch(( term_string(E, Text), num(E, Said, Before, V) ), _, fail).
num(N, _, _, N) :- number(N), !.
num(inf, _, _, inf) :- !.
num(A, Said, Before, V) :- atom(A), !, memberchk(size(A, I, Metric), Said.sizes), arg(I, Before, X), measured(Metric, X, V).
num(A/B, S, G, V) :- !, num(A, S, G, X), num(B, S, G, Y), V is X rdiv Y.
num(E, S, G, V) :- E =.. [Op|As], maplist([A, X]>>num(A, S, G, X), As, Xs), ( Op == ceil -> F =.. [ceiling|Xs] ; F =.. [Op|Xs] ), V is F.

measured(int, V, V) :- integer(V).
measured(length, V, N) :- is_list(V), length(V, N).
measured(chars, V, N) :- ( atom(V) ; string(V) ), !, atom_length(V, N).
measured(size, V, N) :- ground(V), acyclic_term(V), term_size_of(V, N).
term_size_of(V, 1) :- \+ compound(V), !.
term_size_of(V, N) :- compound_name_arguments(V, _, As), maplist(term_size_of, As, Ns), sum_list(Ns, M), N is M+1.

false(Name, Before, Why) :-
    bump(false),
    \+ \+ ( Before =.. [_|Args], functor(Before, _, A), functor(G, Name, A), user:clause(G, Body0), copy_term(G-Body0, H-Body), H =.. [_|Vs], parameters(Name, Types),
       catch(numbervars(Args/Vs/Body/Why, 0, _), _, true),
       format("false ~w ~W~n   ~W ~W~n   ~W~n", [Name, (Vs:Types :- Body), [quoted(true), numbervars(true)], Body, [quoted(true), numbervars(true)], Args, [quoted(true), numbervars(true)], Why, [quoted(true), numbervars(true)]]) ), !.
false(Name, _, Why) :- format("false ~w ~q~n", [Name, Why]).

% --- what is left out

% What would end, stop, read or change the process that tests.
harmful(G) :- var(G), !.
harmful(M:G) :- !, ( var(M) ; harmful(G) ).
harmful(catch(G, _, _)) :- !, harmful(G).
% SWI-Prolog 9.0.4 crashes where the term is larger than memory.
harmful(functor(T, _, N)) :- !, var(T), integer(N), N > 1000.
harmful(once(G)) :- !, harmful(G).
harmful(\+ G) :- !, harmful(G).
harmful(findall(_, G, _)) :- !, harmful(G).
harmful((A, B)) :- !, ( harmful(A) ; harmful(B) ).
harmful(( A -> B ; C )) :- !, ( harmful(A) ; harmful(B) ; harmful(C) ).
harmful(G) :- functor(G, call, _), !, arg(1, G, X), ( var(X) -> true ; called(X) ).
harmful(G) :- functor(G, N, _), memberchk(N, [tnot, maplist, foldl, include, exclude, partition]), !, fail.
harmful(G) :- functor(G, N, A), A > 0, memberchk(N, [assert, asserta, assertz, retract, retractall, abolish, clause, nth_clause, op]), !, ground_or_fresh(G, N).
harmful(G) :- functor(G, N, A), memberchk(N, [nl, tab, write, writeq, print, put_char, write_canonical, writeln, write_term, format, portray_clause, put_byte]), A >= 2, !, arg(1, G, S), memberchk(S, [user_input, user_output, user_error]).
% SWI-Prolog 10.1.10 evaluates `[X|T]` where T is `[]`, not where it is bound to it.
harmful(tab([_|_])) :- !.
% Blanks without end.
harmful(G) :- functor(G, tab, A), arg(A, G, N), ( catch(X is N, _, fail) -> X > 1 000 000 ; false ).
called(X) :- strip_module(X, _, P), callable(P), functor(P, N, _), memberchk(N, [read, halt, abort, user_input]).
% Only what this process does not need.
ground_or_fresh(G, N) :- arg(1, G, X), ( var(X) -> N \== clause, N \== nth_clause ; N == op -> arg(3, G, Op), \+ memberchk(Op, [foo, bar]) ; false_head(X) ).
false_head(X) :- ( nonvar(X), X = (H :- _) -> true ; nonvar(X), X = H/_ -> true ; H = X ), ( var(H) ; H = _:_ ; callable(H), functor(H, F, _), \+ memberchk(F, [foo, a, b]) ).

left_out(N) :- left_out_name(L), N = M/A, ( memberchk(M, L) ; memberchk(M/A, L) ), !.
% Grammar bodies are not inputs of these types.
left_out_name([phrase]).
left_out_name([halt, abort, prompt, tell, told, see, seen, close, set_input, set_output, read, read_term, get_char, peek_char, get_code, peek_code, get_byte, peek_byte, get0, open, append/1,
    style_check, erase, shell, delete_file, tmp_file, setenv, unsetenv, working_directory, sleep, set_random, char_conversion, listing, listing/0, repeat, print_message_lines, debug,
    garbage_collect, at_end_of_stream, ttyflush, flush_output, put_byte, read_string, peek_string, read_pending_codes, set_stream, seek, copy_stream_data, prompt1,
    access_file, make_directory, delete_directory, rename_file, read_link, expand_file_name, tmp_file_stream, put, put_code, get, skip, get_single_char, set_stream_position, tty_goto, tty_size,
    thread_local, volatile, garbage_collect_clauses, garbage_collect_atoms, trim_stacks, thread_get_message, thread_send_message, thread_peek_message, thread_exit, thread_join, thread_detach, message_queue_create, message_queue_destroy,
    mutex_create, mutex_lock, mutex_trylock, mutex_unlock, mutex_destroy, trie_new, trie_destroy, trie_insert, trie_update, trie_lookup, trie_delete, trie_gen, open_null_stream, open_string, notrace, set_prolog_flag,
    dynamic, discontiguous, bounded_number, thread_statistics, thread_property, statistics, current_atom, writef, clause_property, source_file_property, set_flag, nb_delete, '$filled_array', '$btree_find_node', size_abstract_term, wildcard_match, atomic_concat, thread_self, directory_files, exists_file, exists_directory, tracing, predicate_property, module_property, current_module, source_file, current_flag, display, listing/1, telling, seeing, absolute_file_name,
    nb_set_dict, b_set_dict, recorda, recordz, flag, nb_linkval, asserta/2, assertz/2, assert/2, op, assert, asserta, retract, retractall, abolish, clause, nth_clause, instance, recorded, setof, bagof, message_to_string, string_bytes, term_hash/4, '$seek_list', prolog_current_choice, prolog_current_frame, variant_sha1, variant_hash, get_time, current_predicate, atomics_to_string, sformat, file_name_extension, prolog_load_context, read_term_from_atom, stream_property, stream_pair, stream_position_data,
    protocol, protocola, noprotocol, protocolling, set_locale, setlocale, current_locale, thread_alias, thread_setconcurrency, set_end_of_stream, fill_buffer, read_pending_chars, create_prolog_flag,
    mutex_statistics, mutex_unlock_all, mutex_property, message_queue_set, message_queue_property, wait_for_input, trim_heap, tty_get_capability, current_blob, current_functor, current_key,
    current_format_predicate, import_module, dwim_match, '$current_source_module', '$current_typein_module',
    at_halt, exists_source, '$get_predicate_attribute', '$pi_head']).
