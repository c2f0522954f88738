% Trust lines against SWI-Prolog: each line is run on inputs that its precondition admits, and what it states is looked at.
%
% swipl tests/trust/against.pl -- SEED RUNS FILE…    prints a line for each line that is broken, then how many calls were looked at.
:- op(1150, fy, trust). :- op(200, fy, ?).
:- op(1150, fy, pred).
:- op(1150, fy, trust_default).
:- initialization(main, main).

main(Argv) :-
    ( append(_, [--|Rest], Argv) -> true ; Rest = Argv ),
    Rest = [Seed, Runs|Files],
    atom_number(Seed, S), atom_number(Runs, N),
    set_random(seed(S)),
    nb_setval(calls, 0), nb_setval(ended, 0), nb_setval(skipped, []), nb_setval(silent, []),
    forall(member(F, Files), file(F, N)),
    nb_getval(calls, C), nb_getval(ended, E), nb_getval(skipped, Sk), nb_getval(silent, Si),
    format("calls ~w ended ~w~nskipped ~q~nsilent ~q~n", [C, E, Sk, Si]).

file(File, Runs) :-
    setup_call_cleanup(open(File, read, In), lines(In, Runs), close(In)).

lines(In, Runs) :-
    repeat,
    read_term(In, T, [module(user)]),
    (   T == end_of_file -> !
    ;   T = (:- trust pred Line), line(Line, Runs), fail ).

line(Line, Runs) :-
    parts(Line, Head, Properties),
    Head =.. [Name|Args], length(Args, Arity),
    (   left_out(Name/Arity) -> note(skipped, Name/Arity)
    ;   functor(G, Name, Arity), \+ predicate_property(system:G, defined), \+ catch(predicate_property(user:G, defined), _, fail)
    ->  note(skipped, Name/Arity)
    ;   nb_setval(line_ended, 0),
        forall(between(1, Runs, _), ( run(Name, Args, Properties, Line) -> true ; broken(Line, Head, not_run) )),
        ( nb_getval(line_ended, 0) -> note(silent, Head) ; true ) ).

note(Where, What) :- nb_getval(Where, L), ( memberchk(What, L) -> true ; nb_setval(Where, [What|L]) ).

parts(A + B, H, P) :- !, H = A, list(B, P).
parts(H, H, []).

list((A, B), L) :- !, list(A, X), list(B, Y), append(X, Y, L).
list(A, [A]).

run(Name, Args, Properties, Line) :-
    copy_term(Args-Properties, Args1-Properties1),
    maplist(input, Args1, Values, Outputs),
    shared(Args1, Values),
    Goal =.. [Name|Values],
    copy_term(Goal, Before),
    maplist(metric_before, Args1, Values, Before0),
    nb_getval(calls, C), C1 is C+1, nb_setval(calls, C1),
    catch(call_with_time_limit(2, answers(Goal, 12, Answers, End)), E, End = raised(E)),
    ( var(Answers) -> Answers = [] ; true ),
    (   End = raised(_)
    ->  ( memberchk(no_exception, Properties1) -> broken(Line, Before, End) ; true )
    ;   nb_getval(ended, D), D1 is D+1, nb_setval(ended, D1), nb_setval(line_ended, 1),
        length(Answers, N),
        forall(( member(P, Properties1), \+ holds(P, N) ), broken(Line, Before, solutions(N, P))) ),
    forall(( member(A, Answers), A =.. [_|After], nth1(I, Outputs, Type), nth1(I, After, V),
             \+ of(Type, V) ), broken(Line, Before, type(I, Type, V))),
    maplist(named, Args1, Names),
    forall(( member(A, Answers), A =.. [_|After], member(P, Properties1), size_claim(P, Names, Before0, After) ),
           broken(Line, Before, size(P, After))).

% Now and then two arguments that may be anything are one variable.
shared(Args, Values) :-
    (   random_between(0, 9, 0), nth1(I, Args, A), nth1(J, Args, B), I < J, A = ?(X), var(X), B = ?(Y), var(Y),
        nth1(I, Values, V), nth1(J, Values, W), var(V), var(W)
    ->  V = W
    ;   true ).

% All answers, at most so many, run to the end where there are fewer.
answers(Goal, Most, Answers, End) :-
    State = found([], 0),
    catch(with_output_to(string(_), ignore(( call(user:Goal),
        copy_term(Goal, Copy), State = found(L, N), M is N+1, duplicate_term([Copy|L], D), nb_setarg(1, State, D), nb_setarg(2, State, M), M >= Most ))), E, true),
    arg(1, State, Answers),
    ( nonvar(E) -> End = raised(E) ; End = done ).

holds(det, 1). holds(is_det, N) :- N =< 1. holds(fails, 0). holds(not_fails, N) :- N >= 1. holds(no_exception, _).
holds(size(_, _), _). holds(size_lb(_, _), _). holds(size_ub(_, _), _). holds(cost(_, _, _), _).
holds(solutions(E), N) :- number(E), N =:= E.

named(A0, V) :- nonvar(A0), moved(A0, A), !, named(A, V).
named(A, V) :- compound(A), A =.. [_, B|_], ( B = V0:_ -> true ; V0 = B ), !, V = V0.
named(A, A).

% A size on success under the metric of the type: integers are their value, lists their length.
size_claim(P, Names, Sizes, After) :-
    ( P = size(X, E), Op = (=:=) ; P = size_lb(X, E), Op = (>=) ; P = size_ub(X, E), Op = (=<) ),
    nth1(I, Names, Y), Y == X, nth1(I, After, V), measure(V, S),
    copy_term(Names-E, Bound-E1), bind(Bound, Sizes), size_value(E1, R),
    \+ call(Op, S, R).
bind([], []).
bind([N|Ns], [S|Ss]) :- ( var(N) -> N = S ; true ), bind(Ns, Ss).
size_value(length(S), S) :- !.
size_value(A+B, V) :- !, size_value(A, X), size_value(B, Y), V is X+Y.
size_value(A-B, V) :- !, size_value(A, X), size_value(B, Y), V is X-Y.
size_value(V, V).
metric_before(_, V, S) :- ( measure(V, S0) -> S = S0 ; S = 0 ).
measure(V, V) :- integer(V), !.
measure(V, N) :- is_list(V), length(V, N).

broken(Line, Goal, Why) :-
    \+ \+ ( numbervars(Line-Goal-Why, 0, _), format("broken ~q~n   ~q~n   ~q~n", [Line, Goal, Why]) ).

% Values by mode and type; the type after success of an output.
input(A, V, any) :- var(A), !, value(any, V).
input(A0, V, T) :- moved(A0, A), !, input(A, V, T).
input(+A, V, T) :- !, bound(A, T0), value(T0, V), T = any.
input(-A, _, T) :- !, ( nonvar(A), A = _:T0 -> T = T0 ; T = any ).
input(?A, V, any) :- !, ( nonvar(A), A = _:T -> value(T, V) ; value(any, V) ).
% `+A:T` is read as `(+A):T`.
moved(M:T, N) :- nonvar(M), M =.. [Op, A], N =.. [Op, A:T].

bound(A, nonvar) :- var(A), !.
bound(_:T, T).

value(any, V) :- random_between(0, 9, R), ( R < 3 -> V = _ ; R < 5 -> value(nonvar, V) ; R < 7 -> value(text, V) ; value(ground, V) ).
value(nonvar, V) :- random_between(0, 7, R), ( R =:= 0 -> V = f(_, a) ; R =:= 3 -> V = [a|_] ; R =:= 4 -> V = [_, _|_] ; R =:= 5 -> V = [k-_, j-a] ; R =:= 1 -> V = [_, b] ; R =:= 2 -> V = g(X, X) ; value(ground, V) ).
value(ground, V) :- random_between(0, 9, R), ground(R, V).
value(text, V) :- random_member(V, ["ab", abc, '', "", [a,b], "12", '3.5', "f(X,y)", hello, "a,b", ' x ', [97, 98], user_input, read, alpha, 'Ab']).
value(atm, V) :- random_member(V, [a, b, abc, '', 'X y', '\xe9\', '12', '-7', '0x1F', '[]', foo_bar, end_of_file, '1e', 'a,b', '+', alpha, error, '\n', '\x1F42A\']).
value(int, V) :- random_member(K, [0, 1, 2, 3, -1, -2, 97, 65, 128042, 1000, -1000, 100000000000000000000]), V = K.
value(nat, V) :- random_member(V, [0, 1, 2, 3, 9, 97, 1000, 100000000000000000000]).
value(positive_integer, V) :- random_member(V, [1, 2, 3, 97]).
value(num, V) :- random_between(0, 2, R), ( R =:= 0 -> random_member(V, [0.0, 1.5, -2.25, 1.0e10, 1.0Inf]) ; value(int, V) ).
value(list, V) :- value(list(any), V).
value(list(T), V) :- random_between(0, 4, N), length(V, N), maplist(value(T), V).

ground(0, V) :- !, value(int, V).
ground(1, V) :- !, value(num, V).
ground(2, V) :- !, random_member(V, ["", "ab c", "12", "x,y", "\xe9\", "[]", "a(b"]).
ground(3, V) :- !, random_member(V, [f(a), f(1, "s"), a-1, [1|2], 1+2, {x}, foo:bar]).
ground(4, V) :- !, value(list(atm), V).
ground(5, V) :- !, value(list(int), V).
ground(6, []) :- !.
ground(_, V) :- value(atm, V).

of(any, _).
of(nonvar, V) :- nonvar(V).
of(ground, V) :- ground(V).
of(atm, V) :- atom(V), V \== [].
of(int, V) :- integer(V).
of(nat, V) :- integer(V), V >= 0.
of(positive_integer, V) :- integer(V), V > 0.
of(num, V) :- number(V).
of(list, V) :- is_list(V).
of(list(T), V) :- is_list(V), maplist(of(T), V).

% What would end, stop, read or change the process that tests.
left_out(halt/_). left_out(abort/_). left_out(prompt/_). left_out(tell/_). left_out(told/_). left_out(see/_). left_out(seen/_).
left_out(close/_). left_out(set_input/_). left_out(set_output/_). left_out(read/_). left_out(read_term/_). left_out(get_char/_).
left_out(peek_char/_). left_out(get_code/_). left_out(peek_code/_). left_out(get_byte/_). left_out(peek_byte/_). left_out(get0/_).
left_out(open/_). left_out(assert/_). left_out(asserta/_). left_out(assertz/_). left_out(retract/_). left_out(retractall/_).
left_out(abolish/_). left_out((dynamic)/_). left_out((discontiguous)/_). left_out(set_prolog_flag/_). left_out(style_check/_). left_out(op/_).
left_out(erase/_). left_out(shell/_). left_out(delete_file/_). left_out(tmp_file/_). left_out(setenv/_). left_out(unsetenv/_).
left_out(working_directory/_). left_out(sleep/_). left_out(flag/_). left_out(set_random/_). left_out(char_conversion/_). left_out(listing/_).
left_out(repeat/_). left_out(setarg/_). left_out(nb_setarg/_). left_out(print_message/_). left_out(print_message_lines/_). left_out(debug/_).
left_out(garbage_collect/_). left_out(at_end_of_stream/_). left_out(recorda/_). left_out(recordz/_). left_out(nb_setval/_). left_out(b_setval/_). left_out(ttyflush/_).
left_out(flush_output/_). left_out(put_byte/_). left_out(writef/_). left_out(throw/_).
