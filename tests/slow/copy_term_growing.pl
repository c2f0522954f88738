% asks: I keep a trace of my simulation and copy it in each step so nothing gets bound, is this what makes it slow?
% call: simulate(N, _)
% predicate: simulate/2
% sizes: 250 500 1000 2000 4000
% class: n^2
% cause: copy_term

simulate(Steps, Trace) :-
    simulate(Steps, state(0, _), [], Trace).

simulate(0, _, Trace, Trace) :- !.
simulate(Steps, State, Trace0, Trace) :-
    copy_term(Trace0, Trace1),
    next(State, State1),
    Steps1 is Steps - 1,
    simulate(Steps1, State1, [State1|Trace1], Trace).

next(state(X, _), state(Y, _)) :-
    Y is (X * 13 + 7) mod 101.
