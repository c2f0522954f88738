% A limit ends the run; what was measured until then is shown.
% options: --limit-steps 10000
% goal: p
% result limit
% edge remainder -> remainder: call-open 1; steps 0
% edge remainder -> p/0: call-open 1; steps 1
% edge p/0 -> q/1: call-open 1; steps 9999
:- cost_center p/0, q/1.
p :- q(0).
q(N) :- M is N + 1, q(M).
