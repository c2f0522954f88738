/*  Why doesn't my car start?   ?- diagnose.   */

:- module(diagnosis, [diagnose/0, diagnose/2, learn/2]).

:- dynamic known/2.        % known(Symptom, yes/no)
:- dynamic learned/2.      % learned(Fault, Symptoms)

% rule(Fault, Symptoms)

rule(flat_battery,   [starter_silent, lights_dim]).
rule(broken_starter, [starter_silent, lights_bright]).
rule(no_fuel,        [starter_turns, gauge_empty]).
rule(wet_ignition,   [starter_turns, weather_damp]).
rule(Fault, Symptoms) :-
    learned(Fault, Symptoms).

% implied(Symptom, Because): no need to ask

implied(lights_bright, radio_loud).
implied(lights_dim, dashboard_dark).
implied(dashboard_dark, key_does_nothing).

incompatible(lights_dim, lights_bright).
incompatible(starter_silent, starter_turns).

diagnose :-
    forget,
    (   fault(Fault)
    ->  format("I think it is ~w.~n", [Fault]),
        forall(advice(Fault, Text), format("  ~w~n", [Text]))
    ;   format("Sorry, no idea.~n")
    ).

% without a dialogue, from a list of symptoms
diagnose(Symptoms, Faults) :-
    forget,
    maplist(remember(yes), Symptoms),
    findall(F, ( rule(F, Needed), all_known(Needed) ), Faults).

fault(Fault) :-
    rule(Fault, Symptoms),
    all_observed(Symptoms).

all_observed([]).
all_observed([S|Ss]) :-
    observed(S),
    all_observed(Ss).

observed(S) :- holds(S), !.
observed(S) :- known(S, no), !, fail.
observed(S) :- incompatible(S, T), holds(T), !, fail.
observed(S) :- incompatible(T, S), holds(T), !, fail.
observed(S) :- ask(S, Answer), remember(Answer, S), Answer == yes.

holds(S) :- known(S, yes).
holds(S) :- implied(S, Because), holds(Because).

all_known([]).
all_known([S|Ss]) :- holds(S), all_known(Ss).

ask(S, Answer) :-
    format("~w? (yes/no) ", [S]),
    read(Reply),
    (   memberchk(Reply, [yes, no])
    ->  Answer = Reply
    ;   format("Please answer yes or no.~n"),
        ask(S, Answer)
    ).

remember(Answer, S) :-
    retractall(known(S, _)),
    assertz(known(S, Answer)).

forget :- retractall(known(_, _)).

learn(Fault, Symptoms) :-
    (   rule(Fault, Symptoms)
    ->  true
    ;   assertz(learned(Fault, Symptoms))
    ).

advice(flat_battery, "Charge the battery.").
advice(flat_battery, "Ask a neighbour for jump leads.").
advice(no_fuel, "Fill the tank.").
advice(wet_ignition, "Wait for the sun.").
