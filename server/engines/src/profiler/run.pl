% What a program may say, the run of its goal, and its end.

% Directives of Ciao say nothing to SWI-Prolog.
:- multifile(system:term_expansion/2).
:- dynamic(system:term_expansion/2).

system:term_expansion((:- module(Name, Exports, Packages)), (:- module(Name, Exports))) :-
    hcc:hcc_loading,
    is_list(Packages),
    subtract(Packages, [profiler, assertions, regtypes, nativeprops, isomodes], []).

% Files are read with the texts that we were given.
:- multifile(prolog:open_source_hook/3).
:- dynamic(prolog:open_source_hook/3).

prolog:open_source_hook(File, Stream, _) :-
    hcc:hcc_loading,
    hcc:hcc_wish(text(File, Copy)),
    open(Copy, read, Stream, [encoding(utf8)]),
    set_stream(Stream, file_name(File)).

user:message_hook(_, warning, _) :- hcc:hcc_loading.
user:message_hook(_, informational, _) :- hcc:hcc_loading.
:- multifile(user:message_hook/3).
:- dynamic(user:message_hook/3).

hcc_main :-
    hcc_read_wishes,
    hcc_wish(answer(File)),
    open(File, write, Answer, [encoding(utf8), alias(hcc_answer)]),
    set_stream(Answer, buffer(full)),
    hcc_load,
    hcc_goal(Goal, Names),
    hcc_begin,
    hcc_begin_looks,
    hcc_find_quiet,
    hcc_make_centres,
    hcc_instrument_cuts,
    hcc_deadline,
    at_halt(hcc:hcc_end(halt)),
    (   hcc_wish(call(_))
    ->  hcc_run_calls(Result)
    ;   hcc_run(Goal, Names, Result)
    ),
    hcc_end(Result),
    halt.

hcc_read_wishes :-
    getenv('COSTLENS_WISHES', File),
    setup_call_cleanup(
        open(File, read, Stream, [encoding(utf8)]),
        ( repeat,
          read_term(Stream, Wish, []),
          (   Wish == end_of_file -> ! ; assertz(hcc_wish(Wish)), fail )
        ),
        close(Stream)).

hcc_load :-
    hcc_wish(file(File)),
    assertz(hcc_loading),
    load_files(user:File, []),
    retractall(hcc_loading).

% The module of the program's file: there its goals mean what they say.
hcc_home(Module) :-
    hcc_wish(file(File)),
    (   module_property(Module0, file(File)) -> Module = Module0 ; Module = user ).

hcc_goal(true, []) :-
    hcc_wish(call(_)), !.
hcc_goal(Module:Goal, Names) :-
    hcc_wish(goal(Text)),
    hcc_home(Module),
    catch(term_string(Goal, Text, [module(Module), variable_names(Names)]), Error, true),
    (   var(Error) -> true
    ;   hcc_say_term(malformed, Error),
        halt
    ).

hcc_begin :-
    (   hcc_wish(literals) -> assertz(hcc_literals) ; true ),
    hcc_begin_thread.

% Other threads and engines have variables of their own, and nobody asks what they have measured.
:- multifile(user:exception/3).
:- dynamic(user:exception/3).

user:exception(undefined_global_variable, Name, retry) :-
    sub_atom(Name, 0, _, _, '$hcc'),
    hcc:hcc_begin_thread.

hcc_begin_thread :-
    aggregate_all(count, hcc_wish(centre(_, _)), Predicates),
    (   hcc_wish(literals) -> Size is Predicates + 64 ; Size is max(1, Predicates) ),
    (   hcc_wish(events) -> Events = 1 ; Events = 0 ),
    functor(Centres, centres, Size),
    forall(between(1, Size, Number), hcc_new_centre(Number, Centres)),
    nb_setval('$hcc_used', 0),
    nb_setval('$hcc_look', look(never, 0, 0)),
    hcc_zeros(centre, 10, Root0),
    nb_setval('$hcc_root', Root0),
    nb_getval('$hcc_root', Root),
    hcc_zeros(edge, 42, Edge),
    Node = node(0, 0, 0, ways(), 0, 0, 0, 0),
    nb_setval('$hcc', state(0, [], 0, 0, 0, 0, Events, [Node], [Edge], 0, -1)),
    nb_getval('$hcc', State),
    State = state(_, _, _, _, _, _, _, [TheNode], [TheEdge], _, _),
    hcc_way(State, TheNode, TheEdge, Root, Way),
    b_setval('$hcc_active', act(Way, 0, 0, 0, 0, 0, 0, 0, State)).

hcc_new_centre(Number, Centres) :-
    (   Number =:= 1 -> nb_setval('$hcc_centres', Centres) ; true ),
    nb_getval('$hcc_centres', Kept),
    hcc_zeros(centre, 10, Centre),
    nb_setarg(1, Centre, Number),
    nb_linkarg(Number, Kept, Centre).

hcc_run(Goal, Names, Result) :-
    b_getval('$hcc_active', Root),
    arg(9, Root, State),
    Solutions = solutions(0),
    get_time(Begun),
    hcc_entered(State, Root, 0, 0),
    (   catch(hcc_answers(Goal, Root, told(Names, Solutions)), Ball, true)
    ->  true
    ;   true
    ),
    (   nonvar(Ball)
    ->  hcc_left_root(Root, 2),
        hcc_ball(Ball, Result)
    ;   arg(1, Solutions, 0)
    ->  Result = failure
    ;   Result = success
    ),
    get_time(Ended),
    Elapsed is integer((Ended-Begun)*1000000000.0),
    hcc_say([elapsed, Elapsed]).

% Generated calls, one after the other, whatever becomes of each.
hcc_run_calls(Result) :-
    hcc_home(Module),
    b_getval('$hcc_active', Root),
    nb_getval('$hcc', State),
    findall(Call, hcc_wish(call(Call)), Calls),
    get_time(Begun),
    hcc_each_call(Calls, Module, State, Root, Result),
    get_time(Ended),
    Elapsed is integer((Ended-Begun)*1000000000.0),
    hcc_say([elapsed, Elapsed]).

hcc_each_call([], _, _, _, success).
hcc_each_call([Call|Calls], Module, State, Root, Result) :-
    hcc_clock(State, Clock),
    hcc_entered(State, Root, Clock, 0),
    (   catch(hcc_answers(Module:Call, Root, untold), Ball, true)
    ->  true
    ;   true
    ),
    (   nonvar(Ball)
    ->  hcc_left_root(Root, 2),
        hcc_ball(Ball, Ended)
    ;   Ended = exception
    ),
    (   Ended == exception
    ->  hcc_each_call(Calls, Module, State, Root, Result)
    ;   Result = Ended
    ).

% One answer, or all of them, each told if that is asked for. It fails after the last one.
hcc_answers(Goal, Root, Told) :-
    (   prolog_current_choice(C0),
        call(Goal),
        prolog_current_choice(C1),
        hcc_left_root(Root, 0),
        hcc_tell_answer(Told),
        (   C0 \== C1,
            hcc_wish(all)
        ->  hcc_ask_again(Root)
        ;   !
        )
    ;   hcc_left_root(Root, 1),
        fail
    ).

hcc_tell_answer(untold).
hcc_tell_answer(told(Names, Solutions)) :-
    hcc_add(1, Solutions, 1),
    hcc_say_solution(Names).

% Between answers nobody uses anything.
hcc_ask_again(Root) :-
    arg(9, Root, State),
    hcc_clock(State, Clock),
    hcc_entered(State, Root, Clock, 1),
    fail.

hcc_left_root(Root, Port) :-
    hcc_left(Root, Port).

hcc_ball(Ball, Result) :-
    (   nonvar(Ball), Ball = error(resource_error(_), _)
    ->  Result = memory
    ;   nonvar(Ball), Ball = unwind(halt(_))
    ->  Result = halt
    ;   Result = exception,
        hcc_say_term(exception, Ball)
    ).

% Another thread asks again and again, since we answer only where nothing is half noted.
hcc_deadline :-
    hcc_wish(seconds(Seconds)),
    thread_self(Main),
    thread_create(hcc_watch(Main, Seconds), _, [detached(true)]).

hcc_watch(Main, Seconds) :-
    sleep(Seconds),
    repeat,
    catch(thread_signal(Main, hcc:hcc_out_of_time), _, true),
    sleep(0.01),
    fail.

hcc_out_of_time :-
    prolog_current_frame(Frame),
    (   hcc_busy(8, Frame)
    ->  true
    ;   hcc_end(time),
        halt
    ).

hcc_busy(Left, Frame) :-
    Left > 0,
    prolog_frame_attribute(Frame, parent, Parent),
    (   prolog_frame_attribute(Parent, predicate_indicator, hcc:Name/_),
        \+ memberchk(Name, [hcc_main, hcc_run, hcc_answers, hcc_run_calls, hcc_each_call, hcc_out_of_time, hcc_literal, hcc_measured])
    ->  true
    ;   Next is Left - 1,
        hcc_busy(Next, Parent)
    ).
