% library(error): predicates that throw, except those that are built in.

:- trust pred permission_error(?A, ?B, ?C) + (fails, cost(ub, allsols, steps, 1)).
:- trust pred existence_error(?A, ?B, ?C) + (fails, cost(ub, allsols, steps, 1)).
:- trust pred representation_error(?A) + (fails, cost(ub, allsols, steps, 1)).
:- trust pred resource_error(?A) + (fails, cost(ub, allsols, steps, 1)).
:- trust pred syntax_error(?A) + (fails, cost(ub, allsols, steps, 1)).
:- trust pred uninstantiation_error(?A) + (fails, cost(ub, allsols, steps, 1)).
