% The program of the paper's Example 1: r is called by p, through q, which is no centre.
% goal: p
% result success
% edge remainder -> remainder: call-exit 1; steps 0
% edge remainder -> p/0: call-exit 1; steps 4
% edge p/0 -> r/0: call-exit 1; steps 2
:- cost_center p/0, r/0.
p :- q, r.
q :- s, s.
r :- s.
s.
