% library(random)

:- trust pred random_between(+A:int, +B:int, -C:int) + (is_det, no_exception, cost(exact, allsols, steps, 1), size_lb(C, A), size_ub(C, B)).
:- trust pred random_between(?A, ?B, ?C) + (is_det, cost(ub, allsols, steps, 1)).
:- trust pred random(+A:int, +B:int, -C:int) + (is_det, cost(ub, allsols, steps, 1), size_lb(C, A), size_ub(C, B-1)).
:- trust pred random(?A, ?B, ?C) + (is_det, cost(ub, allsols, steps, 1)).
:- trust pred maybe + (is_det, no_exception, cost(ub, allsols, steps, 1)).
:- trust pred maybe(?A) + (is_det, cost(ub, allsols, steps, 1)).
:- trust pred maybe(?A, ?B) + (is_det, cost(ub, allsols, steps, 2)).
:- trust pred random_member(-A:int, +B:list(int)) + (is_det, no_exception, cost(ub, allsols, steps, 1/6*length(B)+3), cost(lb, steps, 1)).
:- trust pred random_member(-A:atm, +B:list(atm)) + (is_det, no_exception, cost(ub, allsols, steps, 1/6*length(B)+3), cost(lb, steps, 1)).
:- trust pred random_member(-A, +B:list) + (is_det, no_exception, cost(ub, allsols, steps, 1/6*length(B)+3), cost(lb, steps, 1)).
:- trust pred random_permutation(+A:list(int), -B:list(int)) + (det, no_exception, cost(lb, steps, 2*length(A)+4), cost(ub, allsols, steps, 3*length(A)+4), size(B, length(A))).
:- trust pred random_permutation(+A:list(atm), -B:list(atm)) + (det, no_exception, cost(lb, steps, 2*length(A)+4), cost(ub, allsols, steps, 3*length(A)+4), size(B, length(A))).
:- trust pred random_permutation(+A:list, -B:list) + (det, no_exception, cost(lb, steps, 2*length(A)+4), cost(ub, allsols, steps, 3*length(A)+4), size(B, length(A))).
:- trust pred random_select(-A, +B:list, -C:list) + (is_det, no_exception, cost(ub, allsols, steps, length(B)+4), cost(lb, steps, 1), size(C, length(B)-1)).
