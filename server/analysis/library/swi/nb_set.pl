% library(nb_set)

:- trust pred empty_nb_set(-A) + (det, no_exception, cost(exact, allsols, steps, 2)).
:- trust pred size_nb_set(?A, ?B) + (is_det, cost(ub, allsols, steps, 1)).
% How long the buckets are in which an element is looked for is not to be seen in the set's type.
:- trust pred add_nb_set(?A, ?B) + (is_det, cost(lb, steps, 2)).
:- trust pred add_nb_set(?A, ?B, ?C) + (is_det, cost(lb, steps, 1)).
:- trust pred nb_set_to_list(?A, -B:list) + is_det.
