% library(nb_set)

:- trust pred empty_nb_set(-A) + (det, no_exception, cost(exact, allsols, steps, 2)).
:- trust pred size_nb_set(?A, ?B) + (is_det, no_exception, cost(ub, allsols, steps, 1)).
