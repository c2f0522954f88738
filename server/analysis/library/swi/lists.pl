% library(lists): what is not among the clauses that ship with Costlens.

:- trust pred proper_length(?A, ?B) + (is_det, cost(exact, allsols, steps, 1)).
:- trust pred nth0(+A:nat, +B:list, -C, -D:list) + (is_det, no_exception, cost(ub, allsols, steps, length(B)+3), cost(lb, steps, 1), size(D, length(B)-1)).
:- trust pred nth1(+A:positive_integer, +B:list, -C, -D:list) + (is_det, no_exception, cost(ub, allsols, steps, length(B)+3), cost(lb, steps, 1), size(D, length(B)-1)).
