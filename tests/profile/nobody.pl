% No centre at all: everything is the remainder's.
% goal: a
% result success
% edge remainder -> remainder: call-exit 1; steps 3
:- all_cost_center.
:- all_no_cost_center.
a :- b, b.
b.
