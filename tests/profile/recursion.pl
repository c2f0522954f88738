% A centre that calls itself stays what it is: one call, however long the loop. Called through another predicate it is entered anew.
% goal: count(1000), down(3)
% result success
% edge remainder -> remainder: call-exit 1; steps 0
% edge remainder -> count/1: call-exit 1; steps 1001, choice_points 1, cuts 1, skips 1
% edge remainder -> down/1: call-exit 1; steps 2
% edge down/1 -> down/1: call-exit 3; steps 6, choice_points 1, cuts 1, skips 1
:- cost_center count/1, down/1.
count(0) :- !.
count(N) :- M is N - 1, count(M).
down(N) :- further(N).
further(0) :- !.
further(N) :- M is N - 1, down(M).
