% library(ordsets): the statements hold for any lists, ordered or not.

:- trust pred is_ordset(+A:list) + (is_det, no_exception, cost(ub, allsols, steps, length(A)+2), cost(lb, steps, 2)).
:- trust pred ord_empty(-A:list) + (det, no_exception, cost(exact, allsols, steps, 1), size(A, 0)).
:- trust pred ord_empty(?A) + (is_det, no_exception, cost(ub, allsols, steps, 1)).
:- trust pred ord_seteq(?A, ?B) + (is_det, no_exception, cost(ub, allsols, steps, 1)).
:- trust pred list_to_ord_set(+A:list(int), -B:list(int)) + (det, no_exception, cost(exact, allsols, steps, 1), size_ub(B, length(A))).
:- trust pred list_to_ord_set(+A:list(num), -B:list(num)) + (det, no_exception, cost(exact, allsols, steps, 1), size_ub(B, length(A))).
:- trust pred list_to_ord_set(+A:list(atm), -B:list(atm)) + (det, no_exception, cost(exact, allsols, steps, 1), size_ub(B, length(A))).
:- trust pred list_to_ord_set(+A:list(ground), -B:list(ground)) + (det, no_exception, cost(exact, allsols, steps, 1), size_ub(B, length(A))).
:- trust pred list_to_ord_set(+A:list, -B:list) + (det, no_exception, cost(exact, allsols, steps, 1), size_ub(B, length(A))).
:- trust pred list_to_ord_set(?A, ?B) + (is_det, cost(exact, allsols, steps, 1)).

:- trust pred ord_union(+A:list(int), +B:list(int), -C:list(int)) + (det, no_exception, cost(ub, allsols, steps, 2*length(A)+2*length(B)+1), cost(lb, steps, 1), size_lb(C, length(A)), size_ub(C, length(A)+length(B))).
:- trust pred ord_union(+A:list(num), +B:list(num), -C:list(num)) + (det, no_exception, cost(ub, allsols, steps, 2*length(A)+2*length(B)+1), cost(lb, steps, 1), size_lb(C, length(A)), size_ub(C, length(A)+length(B))).
:- trust pred ord_union(+A:list(atm), +B:list(atm), -C:list(atm)) + (det, no_exception, cost(ub, allsols, steps, 2*length(A)+2*length(B)+1), cost(lb, steps, 1), size_lb(C, length(A)), size_ub(C, length(A)+length(B))).
:- trust pred ord_union(+A:list(ground), +B:list(ground), -C:list(ground)) + (det, no_exception, cost(ub, allsols, steps, 2*length(A)+2*length(B)+1), cost(lb, steps, 1), size_lb(C, length(A)), size_ub(C, length(A)+length(B))).
:- trust pred ord_union(+A:list, +B:list, -C:list) + (det, no_exception, cost(ub, allsols, steps, 2*length(A)+2*length(B)+1), cost(lb, steps, 1), size_lb(C, length(A)), size_ub(C, length(A)+length(B))).
:- trust pred ord_subtract(+A:list(int), +B:list, -C:list(int)) + (det, no_exception, cost(ub, allsols, steps, 2*length(A)+2*length(B)+1), cost(lb, steps, 1), size_ub(C, length(A))).
:- trust pred ord_subtract(+A:list(num), +B:list, -C:list(num)) + (det, no_exception, cost(ub, allsols, steps, 2*length(A)+2*length(B)+1), cost(lb, steps, 1), size_ub(C, length(A))).
:- trust pred ord_subtract(+A:list(atm), +B:list, -C:list(atm)) + (det, no_exception, cost(ub, allsols, steps, 2*length(A)+2*length(B)+1), cost(lb, steps, 1), size_ub(C, length(A))).
:- trust pred ord_subtract(+A:list(ground), +B:list, -C:list(ground)) + (det, no_exception, cost(ub, allsols, steps, 2*length(A)+2*length(B)+1), cost(lb, steps, 1), size_ub(C, length(A))).
:- trust pred ord_subtract(+A:list, +B:list, -C:list) + (det, no_exception, cost(ub, allsols, steps, 2*length(A)+2*length(B)+1), cost(lb, steps, 1), size_ub(C, length(A))).
:- trust pred ord_intersection(+A:list(int), +B:list, -C:list(int)) + (det, no_exception, cost(ub, allsols, steps, 2*length(A)+2*length(B)+2), cost(lb, steps, 2), size_ub(C, length(A))).
:- trust pred ord_intersection(+A:list(num), +B:list, -C:list(num)) + (det, no_exception, cost(ub, allsols, steps, 2*length(A)+2*length(B)+2), cost(lb, steps, 2), size_ub(C, length(A))).
:- trust pred ord_intersection(+A:list(atm), +B:list, -C:list(atm)) + (det, no_exception, cost(ub, allsols, steps, 2*length(A)+2*length(B)+2), cost(lb, steps, 2), size_ub(C, length(A))).
:- trust pred ord_intersection(+A:list(ground), +B:list, -C:list(ground)) + (det, no_exception, cost(ub, allsols, steps, 2*length(A)+2*length(B)+2), cost(lb, steps, 2), size_ub(C, length(A))).
:- trust pred ord_intersection(+A:list, +B:list, -C:list) + (det, no_exception, cost(ub, allsols, steps, 2*length(A)+2*length(B)+2), cost(lb, steps, 2), size_ub(C, length(A))).
:- trust pred ord_add_element(+A:list(int), +B:int, -C:list(int)) + (det, no_exception, cost(ub, allsols, steps, 2*length(A)+1), cost(lb, steps, 1), size_lb(C, length(A)), size_ub(C, length(A)+1)).
:- trust pred ord_add_element(+A:list(num), +B:num, -C:list(num)) + (det, no_exception, cost(ub, allsols, steps, 2*length(A)+1), cost(lb, steps, 1), size_lb(C, length(A)), size_ub(C, length(A)+1)).
:- trust pred ord_add_element(+A:list(atm), +B:atm, -C:list(atm)) + (det, no_exception, cost(ub, allsols, steps, 2*length(A)+1), cost(lb, steps, 1), size_lb(C, length(A)), size_ub(C, length(A)+1)).
:- trust pred ord_add_element(+A:list(ground), +B:ground, -C:list(ground)) + (det, no_exception, cost(ub, allsols, steps, 2*length(A)+1), cost(lb, steps, 1), size_lb(C, length(A)), size_ub(C, length(A)+1)).
:- trust pred ord_add_element(+A:list, ?B, -C:list) + (det, no_exception, cost(ub, allsols, steps, 2*length(A)+1), cost(lb, steps, 1), size_lb(C, length(A)), size_ub(C, length(A)+1)).
:- trust pred ord_del_element(+A:list(int), ?B, -C:list(int)) + (det, no_exception, cost(ub, allsols, steps, 2*length(A)+1), cost(lb, steps, 1), size_lb(C, length(A)-1), size_ub(C, length(A))).
:- trust pred ord_del_element(+A:list(num), ?B, -C:list(num)) + (det, no_exception, cost(ub, allsols, steps, 2*length(A)+1), cost(lb, steps, 1), size_lb(C, length(A)-1), size_ub(C, length(A))).
:- trust pred ord_del_element(+A:list(atm), ?B, -C:list(atm)) + (det, no_exception, cost(ub, allsols, steps, 2*length(A)+1), cost(lb, steps, 1), size_lb(C, length(A)-1), size_ub(C, length(A))).
:- trust pred ord_del_element(+A:list(ground), ?B, -C:list(ground)) + (det, no_exception, cost(ub, allsols, steps, 2*length(A)+1), cost(lb, steps, 1), size_lb(C, length(A)-1), size_ub(C, length(A))).
:- trust pred ord_del_element(+A:list, ?B, -C:list) + (det, no_exception, cost(ub, allsols, steps, 2*length(A)+1), cost(lb, steps, 1), size_lb(C, length(A)-1), size_ub(C, length(A))).

:- trust pred ord_memberchk(?A, +B:list) + (is_det, no_exception, cost(ub, allsols, steps, 1/4*length(B)+5/4)).
:- trust pred ord_selectchk(?A, +B:list, -C) + (is_det, no_exception, cost(ub, allsols, steps, length(B))).
:- trust pred ord_subset(+A:list, +B:list) + (is_det, no_exception, cost(ub, allsols, steps, 2*length(A)+length(B)+1)).
:- trust pred ord_intersect(+A:list, +B:list) + (is_det, no_exception, cost(ub, allsols, steps, 2*length(A)+2*length(B)+1)).
:- trust pred ord_disjoint(+A:list, +B:list) + (is_det, no_exception, cost(ub, allsols, steps, 2*length(A)+2*length(B)+2), cost(lb, steps, 1)).
