% An exception leaves all centres up to the catch/3 that catches it, the second of them by a redo.
% all: p(X)
% result success, 2 solutions
% edge remainder -> remainder: call-exit 1, redo-exit 1; steps 0
% edge remainder -> p/1: call-exit 1, redo-exit 1; steps 1, choice_points 1
% edge p/1 -> q/1: call-exit 1, redo-exception 1; steps 3, choice_points 1
% edge q/1 -> t/1: call-exception 1; steps 1
:- cost_center [p/1, q/1, t/1].
p(X) :- catch(q(X), oops, X = caught).
q(1).
q(2) :- r.
q(3).
r :- t(1).
t(_) :- throw(oops).
