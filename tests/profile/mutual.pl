% Two centres that call each other.
% goal: even(5)
% result failure
% edge remainder -> remainder: call-fail 1; steps 0
% edge remainder -> even/1: call-fail 1; steps 1
% edge even/1 -> odd/1: call-fail 3; steps 2
% edge odd/1 -> even/1: call-fail 2; steps 2
:- cost_center even/1, odd/1.
even(0).
even(N) :- N > 0, M is N - 1, odd(M).
odd(N) :- N > 0, M is N - 1, even(M).
