% library(rbtrees): leaves hold variables, so these trees have no size.

:- trust pred rb_new(-A) + (det, no_exception, cost(exact, allsols, steps, 1)).
:- trust pred rb_new(?A) + (is_det, cost(ub, allsols, steps, 1)).
:- trust pred rb_empty(-A) + (det, no_exception, cost(exact, allsols, steps, 1)).
:- trust pred rb_empty(?A) + (is_det, no_exception, cost(ub, allsols, steps, 1)).
