% Measures workloads, whatever the engine: ISO Prolog. What stands before it in the file gives cl_clock/1 (seconds of CPU time);
% what stands behind it gives the plan and the workloads:
%
%   cl_plan(Rounds, Windows, Seconds)   in each round so many windows of so many seconds
%   cl_turn(Work)                       goal(Number) and empty(Inputs), in the order of a round
%   cl_known(Work, Repetitions)         known from an earlier process
%   cl_setup(Work, Inputs)              binds the inputs
%   cl_run(Work, Repetitions, Inputs)   the loop
%
% Rounds spread the windows of a workload over the life of the process, so that what disturbs the machine for a moment, or what
% happens to lie in memory at one, does not disturb them all. What is said stands on a line of its own, fields apart by tabs:
%
%   cl at Kind Number                   is begun
%   cl time Kind Number Repetitions Seconds    the least window of a round
%   cl error Kind Number Term           has thrown; it is not begun again
%   cl setup Kind Number                its setup has failed
%   cl end

:- dynamic(cl_off/1).
:- dynamic(cl_repetitions/2).

cl_main :-
    cl_plan(Rounds, Windows, Seconds),
    findall(Work, cl_turn(Work), Works),
    cl_rounds(Rounds, Works, Windows, Seconds),
    cl_say([end]),
    halt.

cl_rounds(0, _, _, _) :- !.
cl_rounds(Rounds, Works, Windows, Seconds) :-
    cl_round(Works, Windows, Seconds),
    Rounds1 is Rounds-1,
    cl_rounds(Rounds1, Works, Windows, Seconds).

% By failure: nothing of one workload is in memory at the next.
cl_round(Works, Windows, Seconds) :-
    cl_element(Work, Works),
    \+ cl_off(Work),
    cl_say_of(Work, [at], []),
    catch(cl_measure(Work, Windows, Seconds), Ball, cl_failed(Work, Ball)),
    fail.
cl_round(_, _, _).

cl_measure(Work, Windows, Seconds) :-
    cl_setup(Work, Inputs), !,
    cl_enough(Work, Inputs, Seconds, N),
    cl_window(Work, N, Inputs, First),
    Left is Windows-1,
    cl_least(Left, Work, N, Inputs, First, Least),
    cl_say_of(Work, [time], [N, Least]).
cl_measure(Work, _, _) :-
    assertz(cl_off(Work)),
    cl_say_of(Work, [setup], []).

cl_failed(Work, Ball) :-
    assertz(cl_off(Work)),
    cl_formal(Ball, Formal),
    cl_say_of(Work, [error], [Formal]).

% The context of a standard error names what is ours.
cl_formal(Ball, Ball) :- var(Ball), !.
cl_formal(error(Formal, _), Formal) :- !.
cl_formal(Ball, Ball).

cl_least(0, _, _, _, Least, Least) :- !.
cl_least(Left, Work, N, Inputs, Least0, Least) :-
    cl_window(Work, N, Inputs, Time),
    ( Time < Least0 -> Least1 = Time ; Least1 = Least0 ),
    Left1 is Left-1,
    cl_least(Left1, Work, N, Inputs, Least1, Least).

cl_window(Work, N, Inputs, Time) :-
    cl_clock(Begin),
    cl_run(Work, N, Inputs), !,
    cl_clock(End),
    Time is End-Begin.

% Repetitions that fill a window. The first run touches memory for the first time and says nothing.
cl_enough(Work, _, _, N) :- cl_repetitions(Work, N), !.
cl_enough(Work, Inputs, _, N) :-
    cl_known(Work, N), !,
    cl_window(Work, 1, Inputs, _),
    assertz(cl_repetitions(Work, N)).
cl_enough(Work, Inputs, Seconds, N) :-
    cl_window(Work, 1, Inputs, _),
    cl_grow(1, Work, Inputs, Seconds, N),
    assertz(cl_repetitions(Work, N)).

cl_grow(N0, Work, Inputs, Seconds, N) :-
    cl_window(Work, N0, Inputs, Time),
    (   ( Time >= 0.7*Seconds ; N0 >= 100000000 )
    ->  N = N0
    ;   Time*16 =< Seconds
    ->  N1 is N0*16,
        cl_grow(N1, Work, Inputs, Seconds, N)
    ;   N1 is 1+truncate(N0*Seconds/Time),
        cl_grow(N1, Work, Inputs, Seconds, N)
    ).

cl_element(X, [X|_]).
cl_element(X, [_|Xs]) :- cl_element(X, Xs).

cl_say_of(Work, Before, Behind) :-
    Work =.. Words,
    cl_joined(Words, Behind, Said),
    cl_joined(Before, Said, All),
    cl_say(All).

cl_joined([], Ys, Ys).
cl_joined([X|Xs], Ys, [X|Zs]) :- cl_joined(Xs, Ys, Zs).

% A workload that writes may have left the line unfinished.
cl_say(Words) :-
    nl, write(cl),
    cl_words(Words),
    nl, flush_output.

cl_words([]).
cl_words([Word|Words]) :-
    put_char('\t'), writeq(Word),
    cl_words(Words).

% Counts where an engine has no between/3 of its own.
cl_count(_).
cl_count(N) :- N > 1, N1 is N-1, cl_count(N1).
