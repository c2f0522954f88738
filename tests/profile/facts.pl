% A goal with two solutions. What is asked for in vain behind the last one belongs to whoever is gone back to.
% all: p(X)
% result success, 2 solutions
% edge remainder -> remainder: call-exit 1, redo-exit 1; steps 0
% edge remainder -> p/1: call-exit 1, redo-exit 1; steps 1
% edge p/1 -> q/1: call-exit 1, redo-exit 2; steps 3, choice_points 1
% edge p/1 -> r/1: call-exit 2, call-fail 1; steps 2
:- all_cost_center.
p(X) :- q(X), r(X).
q(1). q(2). q(3).
r(2). r(3).
