% Guards play a game with cells: each turns the keys of every so-manieth cell; which are open at last.
% predicates: 9
% goal: guardians(1503, 951, _)
guardians(Guards, Cells, Open) :-
    closed(Cells, Doors),
    rounds(1, Guards, Doors, Turned),
    opened(Turned, Open).

closed(0, []) :- !.
closed(N, [closed|Ds]) :- M is N - 1, closed(M, Ds).

rounds(G, Guards, Ds, Ds) :- done(G, Guards), !.
rounds(G, Guards, Ds0, Ds) :-
    round(Ds0, G, Ds1),
    H is G + 1,
    rounds(H, Guards, Ds1, Ds).

done(G, Guards) :- G > Guards.

round(Ds0, G, Ds) :- walk(Ds0, G, G, Ds).

walk([], _, _, []).
walk([D|Ds], 1, G, [E|Es]) :- !, turned(D, E), walk(Ds, G, G, Es).
walk([D|Ds], N, G, [D|Es]) :- M is N - 1, walk(Ds, M, G, Es).

turned(closed, open).
turned(open, closed).

opened(Ds, Ns) :- opened(Ds, 1, Ns).

opened([], _, []).
opened([open|Ds], N, [N|Ns]) :- !, M is N + 1, opened(Ds, M, Ns).
opened([_|Ds], N, Ns) :- M is N + 1, opened(Ds, M, Ns).
