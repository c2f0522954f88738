% A predicate of a library.
% all: p(X)
% result success, 3 solutions
% edge remainder -> remainder: call-exit 1, redo-exit 2, redo-fail 1; steps 0
% edge remainder -> p/1: call-exit 1, redo-exit 2, redo-fail 1; steps 1
% edge p/1 -> append/3: call-exit 1, redo-exit 2, redo-fail 1; steps 5, choice_points 3
:- cost_center p/1, append/3.
p(X) :- append(X, _, [a, b]).
