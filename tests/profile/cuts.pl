% A cut behind a centre removes what the centre has left, so that it is not redone. One cut removes a choice point, the other none.
% all: p(X)
% result success
% edge remainder -> remainder: call-exit 1; steps 0
% edge remainder -> p/1: call-exit 1; steps 1, cuts 1, skips 1
% edge p/1 -> q/1: call-exit 1; steps 1, choice_points 1
% edge p/1 -> r/1: call-exit 1; steps 1, useless_cuts 1
% edge r/1 -> s/1: call-exit 1; steps 1
:- all_cost_center.
p(X) :- q(X), !, r(X).
q(1). q(2). q(3).
r(1) :- s(1), !.
s(1). s(2).
