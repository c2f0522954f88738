% The Wumpus world, five times: an agent in a cave of four by four caverns looks for gold, reasons about stench and breeze, and comes back.
% predicates: 65
% goal: wumpus
wumpus :- plays(5).

plays(0) :- !.
plays(N) :- played(Result), is_won(Result), M is N - 1, plays(M).

is_won(won(_)).

played(Result) :- start(State), moves(State, 100, Result).

% --- the cave ---------------------------------------------------------------------------------------------------

side(4).
wumpus_at(1, 3).
pit_at(3, 1).
pit_at(3, 3).
pit_at(4, 4).
gold_at(2, 3).

cavern(X, Y) :- inside(X), inside(Y).

inside(N) :- side(S), N >= 1, N =< S.

step(up, X, Y, X, Y1) :- more(Y, Y1).
step(down, X, Y, X, Y1) :- less(Y, Y1).
step(right, X, Y, X1, Y) :- more(X, X1).
step(left, X, Y, X1, Y) :- less(X, X1).

more(N, M) :- M is N + 1.
less(N, M) :- M is N - 1.

neighbour(c(X, Y), c(X1, Y1)) :- step(_, X, Y, X1, Y1), cavern(X1, Y1).

neighbours(C, Ns) :- findall(N, neighbour(C, N), Ns).

% --- what is perceived ------------------------------------------------------------------------------------------

percept(C, p(Stench, Breeze, Glitter)) :-
    stench(C, Stench), breeze(C, Breeze), glitter(C, Glitter).

stench(C, yes) :- smells(C), !.
stench(_, no).

smells(C) :- around(C, D), is_wumpus(D).

breeze(C, yes) :- draught(C), !.
breeze(_, no).

draught(C) :- around(C, D), is_pit(D).

glitter(c(X, Y), yes) :- gold_at(X, Y), !.
glitter(_, no).

around(C, C).
around(C, D) :- neighbour(C, D).

is_wumpus(c(X, Y)) :- wumpus_at(X, Y).
is_pit(c(X, Y)) :- pit_at(X, Y).

% --- the state: where the agent is, where it has been, what it has perceived there, and the way back --------------

start(s(c(1, 1), [c(1, 1)-P], [c(1, 1)])) :- percept(c(1, 1), P).

position(s(C, _, _), C).
known(s(_, K, _), K).
way(s(_, _, W), W).

visited(C, State) :- known(State, K), known_at(K, C, _).

known_at([C-P|_], C, P) :- !.
known_at([_|K], C, P) :- known_at(K, C, P).

moved(State, C, s(C, K1, [C|W])) :- known(State, K), way(State, W), learnt(K, C, K1).

learnt(K, C, K) :- known_at(K, C, _), !.
learnt(K, C, [C-P|K]) :- percept(C, P).

% --- what follows -----------------------------------------------------------------------------------------------

safe(C, State) :- no_wumpus(C, State), no_pit(C, State).

no_wumpus(C, State) :- refuted(C, State, stench), !.
no_wumpus(C, State) :- located(State, W), other(C, W).

no_pit(C, State) :- refuted(C, State, breeze).

refuted(C, State, _) :- visited(C, State), !.
refuted(C, State, Sense) :- neighbour(C, D), perceived(D, State, P), lacks(Sense, P), !.

perceived(C, State, P) :- known(State, K), known_at(K, C, P).

lacks(stench, p(no, _, _)).
lacks(breeze, p(_, no, _)).

has(stench, p(yes, _, _)).

other(C, D) :- C \== D.

located(State, W) :- suspects(State, [W]).

suspects(State, Ws) :- smelly(State, Cs), Cs = [_|_], all_caverns(All), suspected(All, Cs, State, Ws).

smelly(State, Cs) :- known(State, K), smelly_of(K, Cs).

smelly_of([], []).
smelly_of([C-P|K], [C|Cs]) :- has(stench, P), !, smelly_of(K, Cs).
smelly_of([_|K], Cs) :- smelly_of(K, Cs).

all_caverns(All) :- findall(c(X, Y), a_cavern(X, Y), All).

a_cavern(X, Y) :- coordinate(X), coordinate(Y).

coordinate(N) :- side(S), between(1, S, N).

suspected([], _, _, []).
suspected([W|Ws], Cs, State, [W|Vs]) :- explains(Cs, W), \+ refuted(W, State, stench), !, suspected(Ws, Cs, State, Vs).
suspected([_|Ws], Cs, State, Vs) :- suspected(Ws, Cs, State, Vs).

explains([], _).
explains([C|Cs], W) :- touches(C, W), explains(Cs, W).

touches(C, W) :- around(C, W), !.

% --- what is done -----------------------------------------------------------------------------------------------

moves(State, N, Result) :- decided(State, Action), done(Action, State, N, Result).

decided(State, grab) :- at_gold(State), !.
decided(State, go(C)) :- fresh(State, C), !.
decided(State, back(C)) :- retreat(State, C), !.
decided(_, give_up).

at_gold(State) :- position(State, C), perceived(C, State, P), glitters(P).

glitters(p(_, _, yes)).

fresh(State, C) :- position(State, At), neighbours(At, Ns), first_fresh(Ns, State, C).

first_fresh([N|_], State, N) :- unvisited(N, State), safe(N, State), !.
first_fresh([_|Ns], State, C) :- first_fresh(Ns, State, C).

unvisited(C, State) :- \+ visited(C, State).

retreat(State, C) :- way(State, [_, C|_]).

done(grab, State, N, won(Score)) :- score(State, N, Score).
done(give_up, _, _, lost).
done(go(C), State, N, Result) :- moved(State, C, Next), further(Next, N, Result).
done(back(C), State, N, Result) :- returned(State, C, Next), further(Next, N, Result).

returned(s(_, K, [_|W]), C, s(C, K, W)).

further(_, 0, lost) :- !.
further(State, N, Result) :- less(N, M), moves(State, M, Result).

score(State, N, Score) :- home(State, Steps), total(N, Steps, Score).

home(State, Steps) :- way(State, W), length(W, Steps).

total(N, Steps, Score) :- gold(G), Score is G + N - Steps.

gold(1000).
