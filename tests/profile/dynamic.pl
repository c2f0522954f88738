% A dynamic predicate. Its clauses are terms, so each call of itself enters it anew.
% goal: n(2)
% result success
% edge remainder -> remainder: call-exit 1; steps 0
% edge remainder -> n/1: call-exit 1; steps 1
% edge n/1 -> n/1: call-exit 2; steps 2, choice_points 1
:- dynamic(n/1).
:- cost_center n/1.
n(0).
n(N) :- N > 0, M is N - 1, n(M).
