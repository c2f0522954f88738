% library(assoc): AVL trees. Keys and values are ground here, so that a tree has a size: its nodes have at least five symbols each. The type does
% not show that a tree was only built by these predicates, which would limit its depth. So bounds are in the size and not in its logarithm.

:- regtype assoc/1.
assoc(t).
assoc(t(K, V, B, L, R)) :- ground(K), ground(V), atm(B), assoc(L), assoc(R).

:- trust pred empty_assoc(-A:assoc) + (det, no_exception, cost(exact, allsols, steps, 1), size(A, 1)).
:- trust pred empty_assoc(?A) + (is_det, no_exception, cost(ub, allsols, steps, 1)).

:- trust pred get_assoc(?A, +B:assoc, -C:ground) + (is_det, no_exception, cost(ub, allsols, steps, 1), size_ub(C, size(B))).
:- trust pred get_assoc(?A, ?B, ?C) + (is_det, cost(ub, allsols, steps, 1)).

:- trust pred put_assoc(+A:num, +B:assoc, +C:num, -D:assoc) + (is_det, no_exception, cost(ub, allsols, steps, 7/5*size(B)+3/5), cost(lb, steps, 2), size_lb(D, 6), size_ub(D, size(B)+5)).
:- trust pred put_assoc(+A:num, +B:assoc, +C:atm, -D:assoc) + (is_det, no_exception, cost(ub, allsols, steps, 7/5*size(B)+3/5), cost(lb, steps, 2), size_lb(D, 6), size_ub(D, size(B)+5)).
:- trust pred put_assoc(+A:num, +B:assoc, +C:ground, -D:assoc) + (is_det, no_exception, cost(ub, allsols, steps, 7/5*size(B)+3/5), cost(lb, steps, 2), size_lb(D, 6), size_ub(D, size(B)+size(C)+4)).
:- trust pred put_assoc(+A:num, +B:assoc, +C:list(num), -D:assoc) + (is_det, no_exception, cost(ub, allsols, steps, 7/5*size(B)+3/5), cost(lb, steps, 2), size_lb(D, 6), size_ub(D, size(B)+2*length(C)+5)).
:- trust pred put_assoc(+A:num, +B:assoc, +C:list(atm), -D:assoc) + (is_det, no_exception, cost(ub, allsols, steps, 7/5*size(B)+3/5), cost(lb, steps, 2), size_lb(D, 6), size_ub(D, size(B)+2*length(C)+5)).
:- trust pred put_assoc(+A:atm, +B:assoc, +C:num, -D:assoc) + (is_det, no_exception, cost(ub, allsols, steps, 7/5*size(B)+3/5), cost(lb, steps, 2), size_lb(D, 6), size_ub(D, size(B)+5)).
:- trust pred put_assoc(+A:atm, +B:assoc, +C:atm, -D:assoc) + (is_det, no_exception, cost(ub, allsols, steps, 7/5*size(B)+3/5), cost(lb, steps, 2), size_lb(D, 6), size_ub(D, size(B)+5)).
:- trust pred put_assoc(+A:atm, +B:assoc, +C:ground, -D:assoc) + (is_det, no_exception, cost(ub, allsols, steps, 7/5*size(B)+3/5), cost(lb, steps, 2), size_lb(D, 6), size_ub(D, size(B)+size(C)+4)).
:- trust pred put_assoc(+A:atm, +B:assoc, +C:list(num), -D:assoc) + (is_det, no_exception, cost(ub, allsols, steps, 7/5*size(B)+3/5), cost(lb, steps, 2), size_lb(D, 6), size_ub(D, size(B)+2*length(C)+5)).
:- trust pred put_assoc(+A:atm, +B:assoc, +C:list(atm), -D:assoc) + (is_det, no_exception, cost(ub, allsols, steps, 7/5*size(B)+3/5), cost(lb, steps, 2), size_lb(D, 6), size_ub(D, size(B)+2*length(C)+5)).
:- trust pred put_assoc(+A:ground, +B:assoc, +C:num, -D:assoc) + (is_det, no_exception, cost(ub, allsols, steps, 7/5*size(B)+3/5), cost(lb, steps, 2), size_lb(D, 6), size_ub(D, size(B)+size(A)+4)).
:- trust pred put_assoc(+A:ground, +B:assoc, +C:atm, -D:assoc) + (is_det, no_exception, cost(ub, allsols, steps, 7/5*size(B)+3/5), cost(lb, steps, 2), size_lb(D, 6), size_ub(D, size(B)+size(A)+4)).
:- trust pred put_assoc(+A:ground, +B:assoc, +C:ground, -D:assoc) + (is_det, no_exception, cost(ub, allsols, steps, 7/5*size(B)+3/5), cost(lb, steps, 2), size_lb(D, 6), size_ub(D, size(B)+size(A)+size(C)+3)).
:- trust pred put_assoc(+A:ground, +B:assoc, +C:list(num), -D:assoc) + (is_det, no_exception, cost(ub, allsols, steps, 7/5*size(B)+3/5), cost(lb, steps, 2), size_lb(D, 6), size_ub(D, size(B)+size(A)+2*length(C)+4)).
:- trust pred put_assoc(+A:ground, +B:assoc, +C:list(atm), -D:assoc) + (is_det, no_exception, cost(ub, allsols, steps, 7/5*size(B)+3/5), cost(lb, steps, 2), size_lb(D, 6), size_ub(D, size(B)+size(A)+2*length(C)+4)).
:- trust pred put_assoc(?A, +B:assoc, ?C, -D) + (is_det, no_exception, cost(ub, allsols, steps, 7/5*size(B)+3/5), cost(lb, steps, 2)).

:- trust pred list_to_assoc(+A:list(ground), -B:assoc) + (is_det, cost(ub, allsols, steps, 3*length(A)+1), cost(lb, steps, 1), size_lb(B, 1)).
:- trust pred list_to_assoc(+A:list, -B) + (is_det, cost(ub, allsols, steps, 3*length(A)+1), cost(lb, steps, 1)).
:- trust pred ord_list_to_assoc(+A:list, -B) + (is_det, cost(ub, allsols, steps, 3*length(A)+1), cost(lb, steps, 1)).
:- trust pred assoc_to_list(+A:assoc, -B:list(ground)) + (det, no_exception, cost(ub, allsols, steps, 2/5*size(A)+8/5), cost(lb, steps, 2), size_ub(B, 1/5*size(A)-1/5)).
:- trust pred assoc_to_keys(+A:assoc, -B:list(ground)) + (det, no_exception, cost(ub, allsols, steps, 2/5*size(A)+8/5), cost(lb, steps, 2), size_ub(B, 1/5*size(A)-1/5)).
:- trust pred assoc_to_values(+A:assoc, -B:list(ground)) + (det, no_exception, cost(ub, allsols, steps, 2/5*size(A)+8/5), cost(lb, steps, 2), size_ub(B, 1/5*size(A)-1/5)).
:- trust pred max_assoc(+A:assoc, -B:ground, -C:ground) + (is_det, no_exception, cost(ub, allsols, steps, 1/5*size(A)+4/5), size_ub(B, size(A)), size_ub(C, size(A))).
:- trust pred min_assoc(+A:assoc, -B:ground, -C:ground) + (is_det, no_exception, cost(ub, allsols, steps, 1/5*size(A)+4/5), size_ub(B, size(A)), size_ub(C, size(A))).
