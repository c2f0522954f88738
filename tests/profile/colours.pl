% The paper's Fig. 7, to its first solution.
% goal: color_map(A, B, C, D, E)
% result success
% edge remainder -> remainder: call-exit 1; steps 0
% edge remainder -> color_map/5: call-exit 1; steps 1
% edge color_map/5 -> color/1: call-exit 50, redo-exit 186; steps 236, choice_points 50
% edge color_map/5 -> legal_coloring/5: call-exit 1, call-fail 186; steps 21
% edge legal_coloring/5 -> c/3: call-exit 1, call-fail 20; steps 1
:- all_cost_center.
color_map(A, B, C, D, E) :-
    color(A), color(B),
    color(C), color(D), color(E),
    legal_coloring(A, B, C, D, E).
legal_coloring(A, B, C, D, E) :-
    A \== B, A \== C,
    A \== D, A \== E,
    c(B, C, D), C \== E.
c(X, Y, Z) :-
    X \== Y,
    X \== Z.
color(blue).
color(green).
color(orange).
color(red).
color(yellow).
