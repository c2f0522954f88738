% The map colouring problem for five regions, a hundred times.
% predicates: 5
% goal: color_map(_, _, _, _, _)
color_map(A, B, C, D, E) :- repeated(100), colors(A, B, C, D, E), !.

repeated(N) :- N =< 1, !.
repeated(N) :- \+ \+ colors(_, _, _, _, _), M is N - 1, repeated(M).

colors(A, B, C, D, E) :-
    color(A), color(B), color(C), color(D), color(E),
    legal_coloring(A, B, C, D, E).

legal_coloring(A, B, C, D, E) :-
    A \== B, A \== C, A \== D, A \== E,
    B \== C, B \== D, C \== D, C \== E, D \== E.

color(blue). color(green). color(orange). color(red). color(yellow).
