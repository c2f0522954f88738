% Failure in heads, and a call that no clause matches. A head that fails is no step.
% all: p(X)
% result success, 2 solutions
% edge remainder -> remainder: call-exit 1, redo-exit 1, redo-fail 1; steps 0
% edge remainder -> p/1: call-exit 1, redo-exit 1, redo-fail 1; steps 3, choice_points 1
% edge p/1 -> q/2: call-exit 1, call-fail 2, redo-exit 1; steps 2, choice_points 2
:- cost_center p/1, q/2.
p(X) :- q(X, f(1)).
p(X) :- q(X, g(1)).
p(X) :- q(9, X).
q(1, f(2)).
q(2, f(1)).
q(3, f(1)).
