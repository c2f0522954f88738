% Two jugs, of five and three litres: four litres are measured, a hundred times.
% predicates: 6
% goal: solve_jugs(_)
solve_jugs(Path) :- again(100), solved(Path).

again(1) :- !.
again(N) :- solved(_), M is N - 1, again(M).

solved(Path) :- search([[jugs(0, 0)]], [jugs(0, 0)], Path).

search([[jugs(4, B)|Back]|_], _, [jugs(4, B)|Back]) :- !.
search([[State|Back]|Paths], Seen, Path) :-
    findall([Next, State|Back], new(State, Seen, Next), New),
    noted(New, Paths, Seen, Paths1, Seen1),
    search(Paths1, Seen1, Path).

noted([], Paths, Seen, Paths, Seen).
noted([[S|_]|New], Paths, Seen, Paths1, Seen1) :- memberchk(S, Seen), !, noted(New, Paths, Seen, Paths1, Seen1).
noted([[S|P]|New], Paths, Seen, Paths2, Seen1) :- append(Paths, [[S|P]], Paths1), noted(New, Paths1, [S|Seen], Paths2, Seen1).

new(jugs(A, B), Seen, Next) :-
    (   Next = jugs(5, B)
    ;   Next = jugs(A, 3)
    ;   Next = jugs(0, B)
    ;   Next = jugs(A, 0)
    ;   M is min(A, 3 - B), A1 is A - M, B1 is B + M, Next = jugs(A1, B1)
    ;   M is min(B, 5 - A), A1 is A + M, B1 is B - M, Next = jugs(A1, B1)
    ),
    \+ memberchk(Next, Seen).
