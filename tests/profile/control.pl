% Conditions, negations and findall/3 run centres to their first or last solution.
% goal: p(L)
% result success
% edge remainder -> remainder: call-exit 1; steps 0
% edge remainder -> p/1: call-exit 1; steps 1, choice_points 4, cuts 1, skips 2
% edge p/1 -> q/1: call-exit 3, redo-exit 5; steps 8, choice_points 3
% edge p/1 -> r/1: call-fail 1; steps 0
:- all_cost_center.
p(L) :- ( q(X), X > 1 -> true ; X = 0 ), \+ r(X), findall(Y, q(Y), L), forall(q(Y), Y > 0).
q(1). q(2). q(3).
r(1).
