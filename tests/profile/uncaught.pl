% An exception that nobody catches.
% goal: p
% result exception
% edge remainder -> remainder: call-exception 1; steps 0
% edge remainder -> p/0: call-exception 1; steps 1
% edge p/0 -> q/1: call-exit 1; steps 1
% edge p/0 -> r/0: call-exception 1; steps 1
:- all_cost_center.
p :- q(1), r.
q(1).
r :- atom_length(_, _).
