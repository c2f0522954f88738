% library(gensym)

:- trust pred gensym(+A:atm, -B:atm) + (det, no_exception, cost(lb, steps, 2), cost(ub, allsols, steps, 4)).
:- trust pred gensym(?A, ?B) + (is_det, cost(ub, allsols, steps, 4)).
:- trust pred reset_gensym + (det, no_exception, cost(exact, allsols, steps, 2)).
:- trust pred reset_gensym(?A) + (is_det, cost(ub, allsols, steps, 1)).
