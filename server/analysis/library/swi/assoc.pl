% library(assoc): AVL trees. Only these predicates build them, so a tree with n keys is at most 1.4405*log2(n+2) - 0.3277 deep. Steps are in the
% number of keys, whatever the keys are. Work includes the comparisons of keys: one unit for a constant, for a ground key the number of its
% symbols. That of making a tree from a list of keys of any size is not stated.

:- trust pred empty_assoc(-A:assoc(_,_)) + (det, no_exception, cost(exact, allsols, steps, 1), size(A, 0)).
:- trust pred empty_assoc(?A) + (is_det, no_exception, cost(ub, allsols, steps, 1)).

:- trust pred get_assoc(?A, +B:assoc(_,V), -C:V) + (is_det, no_exception, cost(ub, allsols, steps, 1)).
:- trust pred get_assoc(?A, ?B, ?C) + (is_det, cost(ub, allsols, steps, 1)).
:- trust pred get_assoc(+A:num, +B:assoc, -C) + cost(ub, allsols, work, 2*log2(keys(B)+2)+5).
:- trust pred get_assoc(+A:atm, +B:assoc, -C) + cost(ub, allsols, work, 2*log2(keys(B)+2)+5).
:- trust pred get_assoc(+A:string, +B:assoc, -C) + cost(ub, allsols, work, 2*log2(keys(B)+2)+5).
:- trust pred get_assoc(+A:ground, +B:assoc, -C) + cost(ub, allsols, work, (2*size(A)+2)*log2(keys(B)+2)+5).
:- trust pred get_assoc(?A, +B:assoc(K,V), -C:V, -D:assoc(K,V), ?E:V) + (is_det, no_exception, cost(ub, allsols, steps, 3*log2(keys(B)+2)+1), cost(lb, steps, 1), size(D, keys(B))).
:- trust pred get_assoc(+A:num, +B:assoc, -C, -D, ?E) + cost(ub, allsols, work, 8*log2(keys(B)+2)+5).
:- trust pred get_assoc(+A:atm, +B:assoc, -C, -D, ?E) + cost(ub, allsols, work, 8*log2(keys(B)+2)+5).
:- trust pred get_assoc(+A:string, +B:assoc, -C, -D, ?E) + cost(ub, allsols, work, 8*log2(keys(B)+2)+5).
:- trust pred get_assoc(+A:ground, +B:assoc, -C, -D, ?E) + cost(ub, allsols, work, (2*size(A)+8)*log2(keys(B)+2)+5).

:- trust pred put_assoc(?A:K, +B:assoc(K,V), ?C:V, -D:assoc(K,V)) + (det, no_exception, cost(ub, allsols, steps, 8*log2(keys(B)+2)), cost(lb, steps, 2), size_lb(D, keys(B)), size_ub(D, keys(B)+1)).
:- trust pred put_assoc(+A:num, +B:assoc, ?C, -D) + cost(ub, allsols, work, 13*log2(keys(B)+2)+5).
:- trust pred put_assoc(+A:atm, +B:assoc, ?C, -D) + cost(ub, allsols, work, 13*log2(keys(B)+2)+5).
:- trust pred put_assoc(+A:string, +B:assoc, ?C, -D) + cost(ub, allsols, work, 13*log2(keys(B)+2)+5).
:- trust pred put_assoc(+A:ground, +B:assoc, ?C, -D) + cost(ub, allsols, work, (2*size(A)+13)*log2(keys(B)+2)+5).

:- trust pred list_to_assoc(+A:list(ground), -B:assoc(ground,ground)) + (is_det, cost(ub, allsols, steps, 3*length(A)+1), cost(lb, steps, 1), size(B, length(A))).
:- trust pred list_to_assoc(+A:list, -B:assoc) + (is_det, cost(ub, allsols, steps, 3*length(A)+1), cost(lb, steps, 1), size(B, length(A))).
:- trust pred list_to_assoc(+A:list, ?B) + cost(ub, allsols, work, inf).
:- trust pred ord_list_to_assoc(+A:list(ground), -B:assoc(ground,ground)) + (is_det, cost(ub, allsols, steps, 3*length(A)+1), cost(lb, steps, 1), size(B, length(A))).
:- trust pred ord_list_to_assoc(+A:list, -B:assoc) + (is_det, cost(ub, allsols, steps, 3*length(A)+1), cost(lb, steps, 1), size(B, length(A))).
:- trust pred ord_list_to_assoc(+A:list, ?B) + cost(ub, allsols, work, inf).

:- trust pred assoc_to_list(+A:assoc(ground,ground), -B:list(ground)) + (det, no_exception, cost(exact, allsols, steps, 2*keys(A)+2), size(B, keys(A))).
:- trust pred assoc_to_list(+A:assoc, -B:list(nonvar)) + (det, no_exception, cost(exact, allsols, steps, 2*keys(A)+2), size(B, keys(A))).
:- trust pred assoc_to_keys(+A:assoc(K,_), -B:list(K)) + (det, no_exception, cost(exact, allsols, steps, 2*keys(A)+2), size(B, keys(A))).
:- trust pred assoc_to_values(+A:assoc(_,V), -B:list(V)) + (det, no_exception, cost(exact, allsols, steps, 2*keys(A)+2), size(B, keys(A))).
:- trust pred max_assoc(+A:assoc(K,V), -B:K, -C:V) + (is_det, no_exception, cost(ub, allsols, steps, 2*log2(keys(A)+2)+1), cost(lb, steps, 1)).
:- trust pred min_assoc(+A:assoc(K,V), -B:K, -C:V) + (is_det, no_exception, cost(ub, allsols, steps, 2*log2(keys(A)+2)+1), cost(lb, steps, 1)).

:- trust pred del_min_assoc(+A:assoc(K,V), -B:K, -C:V, -D:assoc(K,V)) + (is_det, no_exception, cost(ub, allsols, steps, 9*log2(keys(A)+2)+1), size(D, keys(A)-1)).
:- trust pred del_max_assoc(+A:assoc(K,V), -B:K, -C:V, -D:assoc(K,V)) + (is_det, no_exception, cost(ub, allsols, steps, 9*log2(keys(A)+2)+1), size(D, keys(A)-1)).
:- trust pred del_assoc(?A, +B:assoc(K,V), -C:V, -D:assoc(K,V)) + (is_det, no_exception, cost(ub, allsols, steps, 11*log2(keys(B)+2)+2), cost(lb, steps, 2), size(D, keys(B)-1)).
:- trust pred del_assoc(+A:num, +B:assoc, -C, -D) + cost(ub, allsols, work, 17*log2(keys(B)+2)+5).
:- trust pred del_assoc(+A:atm, +B:assoc, -C, -D) + cost(ub, allsols, work, 17*log2(keys(B)+2)+5).
:- trust pred del_assoc(+A:string, +B:assoc, -C, -D) + cost(ub, allsols, work, 17*log2(keys(B)+2)+5).
:- trust pred del_assoc(+A:ground, +B:assoc, -C, -D) + cost(ub, allsols, work, (2*size(A)+17)*log2(keys(B)+2)+5).
