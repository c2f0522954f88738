% asks: I have scores as facts and compute everyone's rank, with 5000 players it takes half a minute, do I need a database?
% call: input_players(N), ranking(_)
% predicate: ranking/1
% sizes: 100 200 400 800 1600
% class: n^2
% cause: score

:- dynamic score/2.

% ranking(-Ranks): Player-Rank for each player
ranking(Ranks) :-
    findall(Player-Rank, rank(Player, Rank), Ranks).

rank(Player, Rank) :-
    score(Player, Points),
    findall(Other, (score(Other, P), P > Points), Better),
    length(Better, Count),
    Rank is Count + 1.

% N facts; the size is the number of facts in the database
input_players(N) :-
    retractall(score(_, _)),
    forall(between(1, N, I),
           ( P is (I * 7919) mod 10007, assertz(score(I, P)) )).
