% Later directives take the place of earlier ones; centres without hooks have ports and times alone.
% goal: a
% result success
% edge remainder -> remainder: call-exit 1; steps 0
% edge remainder -> a/0: call-exit 1; steps 2
% edge a/0 -> d/0: call-exit 2; no hooks
% edge a/0 -> c/0: call-exit 1; steps 1
% edge c/0 -> d/0: call-exit 1; no hooks
:- module(m, [a/0], [profiler]).
:- all_cost_center.
:- no_cost_center b/0, c/0.
:- cost_center (d/0, nohooks), [c/0].
a :- b, c, d.
b :- d.
c :- d.
d.
