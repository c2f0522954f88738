% library(nb_set)

:- trust pred empty_nb_set(-A) + (det, no_exception, cost(exact, allsols, steps, 2)).
:- trust pred size_nb_set(?A, ?B) + (is_det, cost(ub, allsols, steps, 1)).
% The type of a set does not show the length of the buckets that are searched for an element.
:- trust pred add_nb_set(?A, ?B) + (is_det, cost(lb, steps, 2)).
:- trust pred add_nb_set(?A, ?B, ?C) + (is_det, cost(lb, steps, 1)).
:- trust pred nb_set_to_list(?A, -B:list) + is_det.
