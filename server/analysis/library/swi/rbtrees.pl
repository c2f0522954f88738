% library(rbtrees): red-black trees. Only these predicates build them, so a path of a tree with n keys has at most log2(n+1) black nodes, and no
% more red ones. Steps are in the number of keys, whatever the keys are. Work includes the comparisons of keys: one unit for a constant, for
% a ground key the number of its symbols.

:- trust pred rb_new(-A:rbtree(_,_)) + (det, no_exception, cost(exact, allsols, steps, 1), size(A, 0)).
:- trust pred rb_new(?A) + (is_det, cost(ub, allsols, steps, 1)).
:- trust pred rb_empty(-A:rbtree(_,_)) + (det, no_exception, cost(exact, allsols, steps, 1), size(A, 0)).
:- trust pred rb_empty(?A) + (is_det, no_exception, cost(ub, allsols, steps, 1)).

:- trust pred rb_lookup(?K, -V:W, +T:rbtree(_,W)) + (is_det, cost(ub, allsols, steps, 4*log2(keys(T)+1)+2), cost(lb, steps, 2)).
:- trust pred rb_lookup(?K, ?V, +T:rbtree) + (is_det, cost(ub, allsols, steps, 4*log2(keys(T)+1)+2), cost(lb, steps, 2)).
:- trust pred rb_lookup(+K:num, ?V, +T:rbtree) + cost(ub, allsols, work, 12*log2(keys(T)+1)+8).
:- trust pred rb_lookup(+K:atm, ?V, +T:rbtree) + cost(ub, allsols, work, 12*log2(keys(T)+1)+8).
:- trust pred rb_lookup(+K:string, ?V, +T:rbtree) + cost(ub, allsols, work, 12*log2(keys(T)+1)+8).
:- trust pred rb_lookup(+K:ground, ?V, +T:rbtree) + cost(ub, allsols, work, (4*size(K)+12)*log2(keys(T)+1)+8).
:- trust pred rb_min(+T:rbtree(K,V), -A:K, -B:V) + (is_det, cost(ub, allsols, steps, 2*log2(keys(T)+1)+3), cost(lb, steps, 1)).
:- trust pred rb_max(+T:rbtree(K,V), -A:K, -B:V) + (is_det, cost(ub, allsols, steps, 2*log2(keys(T)+1)+3), cost(lb, steps, 1)).
:- trust pred rb_next(+T:rbtree(K,V), ?A, -B:K, -C:V) + (is_det, cost(ub, allsols, steps, 4*log2(keys(T)+1)+4), cost(lb, steps, 2)).
:- trust pred rb_previous(+T:rbtree(K,V), ?A, -B:K, -C:V) + (is_det, cost(ub, allsols, steps, 4*log2(keys(T)+1)+4), cost(lb, steps, 2)).
:- trust pred rb_in(?K, ?V, +T:rbtree) + (no_exception, cost(ub, allsols, steps, 5*keys(T)+2), cost(lb, steps, 2), solutions(ub, keys(T)+1)).

:- trust pred rb_insert(+T:rbtree(K,V), ?A:K, ?B:V, -U:rbtree(K,V)) + (det, no_exception, cost(ub, allsols, steps, 4*log2(keys(T)+1)+4), cost(lb, steps, 2), size_lb(U, keys(T)), size_ub(U, keys(T)+1)).
:- trust pred rb_insert(+T:rbtree, +K:num, ?B, -U) + cost(ub, allsols, work, 14*log2(keys(T)+1)+8).
:- trust pred rb_insert(+T:rbtree, +K:atm, ?B, -U) + cost(ub, allsols, work, 14*log2(keys(T)+1)+8).
:- trust pred rb_insert(+T:rbtree, +K:string, ?B, -U) + cost(ub, allsols, work, 14*log2(keys(T)+1)+8).
:- trust pred rb_insert(+T:rbtree, +K:ground, ?B, -U) + cost(ub, allsols, work, (4*size(K)+14)*log2(keys(T)+1)+8).
:- trust pred rb_insert_new(+T:rbtree(K,V), ?A:K, ?B:V, -U:rbtree(K,V)) + (is_det, cost(ub, allsols, steps, 4*log2(keys(T)+1)+4), cost(lb, steps, 2), size_lb(U, keys(T)), size_ub(U, keys(T)+1)).
:- trust pred rb_insert_new(+T:rbtree, +K:num, ?B, -U) + cost(ub, allsols, work, 14*log2(keys(T)+1)+8).
:- trust pred rb_insert_new(+T:rbtree, +K:atm, ?B, -U) + cost(ub, allsols, work, 14*log2(keys(T)+1)+8).
:- trust pred rb_insert_new(+T:rbtree, +K:string, ?B, -U) + cost(ub, allsols, work, 14*log2(keys(T)+1)+8).
:- trust pred rb_insert_new(+T:rbtree, +K:ground, ?B, -U) + cost(ub, allsols, work, (4*size(K)+14)*log2(keys(T)+1)+8).
:- trust pred rb_update(+T:rbtree(K,V), ?A, ?B:V, -U:rbtree(K,V)) + (is_det, no_exception, cost(ub, allsols, steps, 2*log2(keys(T)+1)+2), cost(lb, steps, 1), size(U, keys(T))).
:- trust pred rb_update(+T:rbtree, +K:num, ?B, -U) + cost(ub, allsols, work, 12*log2(keys(T)+1)+6).
:- trust pred rb_update(+T:rbtree, +K:atm, ?B, -U) + cost(ub, allsols, work, 12*log2(keys(T)+1)+6).
:- trust pred rb_update(+T:rbtree, +K:string, ?B, -U) + cost(ub, allsols, work, 12*log2(keys(T)+1)+6).
:- trust pred rb_update(+T:rbtree, +K:ground, ?B, -U) + cost(ub, allsols, work, (2*size(K)+12)*log2(keys(T)+1)+6).
:- trust pred rb_update(+T:rbtree(K,V), ?A, -B:V, ?C:V, -U:rbtree(K,V)) + (is_det, no_exception, cost(ub, allsols, steps, 2*log2(keys(T)+1)+2), cost(lb, steps, 1), size(U, keys(T))).
:- trust pred rb_update(+T:rbtree, +K:num, -B, ?C, -U) + cost(ub, allsols, work, 12*log2(keys(T)+1)+6).
:- trust pred rb_update(+T:rbtree, +K:atm, -B, ?C, -U) + cost(ub, allsols, work, 12*log2(keys(T)+1)+6).
:- trust pred rb_update(+T:rbtree, +K:string, -B, ?C, -U) + cost(ub, allsols, work, 12*log2(keys(T)+1)+6).
:- trust pred rb_update(+T:rbtree, +K:ground, -B, ?C, -U) + cost(ub, allsols, work, (2*size(K)+12)*log2(keys(T)+1)+6).

:- trust pred rb_visit(+T:rbtree(ground,ground), -L:list(ground)) + (det, no_exception, cost(ub, allsols, steps, 2*keys(T)+2), cost(lb, steps, 1), size(L, keys(T))).
:- trust pred rb_visit(+T:rbtree, -L:list(nonvar)) + (det, no_exception, cost(ub, allsols, steps, 2*keys(T)+2), cost(lb, steps, 1), size(L, keys(T))).
:- trust pred rb_keys(+T:rbtree(K,_), -L:list(K)) + (det, no_exception, cost(ub, allsols, steps, 2*keys(T)+2), cost(lb, steps, 1), size(L, keys(T))).
:- trust pred rb_size(+T:rbtree, -N:nat) + (det, no_exception, cost(ub, allsols, steps, 2*keys(T)+2), cost(lb, steps, 1), size(N, keys(T))).
:- trust pred rb_clone(+T:rbtree(K,_), -U:rbtree(K,any), -L:list(nonvar)) + (det, no_exception, cost(ub, allsols, steps, 2*keys(T)+2), cost(lb, steps, 1), size(U, keys(T)), size(L, keys(T))).

:- trust pred list_to_rbtree(+A:list(ground), -T:rbtree(ground,ground)) + (is_det, cost(ub, allsols, steps, 3*length(A)+3), cost(lb, steps, 2), size_ub(T, length(A))).
:- trust pred list_to_rbtree(+A:list, -T:rbtree) + (is_det, cost(ub, allsols, steps, 3*length(A)+3), cost(lb, steps, 2), size_ub(T, length(A))).
:- trust pred list_to_rbtree(+A:list, ?T) + cost(ub, allsols, work, inf).
:- trust pred ord_list_to_rbtree(+A:list(ground), -T:rbtree(ground,ground)) + (is_det, cost(ub, allsols, steps, 3*length(A)+2), cost(lb, steps, 1), size(T, length(A))).
:- trust pred ord_list_to_rbtree(+A:list, -T:rbtree) + (is_det, cost(ub, allsols, steps, 3*length(A)+2), cost(lb, steps, 1), size(T, length(A))).
:- trust pred ord_list_to_rbtree(+A:list, ?T) + cost(ub, allsols, work, inf).

:- trust pred rb_delete(+T:rbtree(K,V), ?A, -U:rbtree(K,V)) + (is_det, cost(ub, allsols, steps, 10*log2(keys(T)+1)+8), cost(lb, steps, 2), size(U, keys(T)-1)).
:- trust pred rb_delete(+T:rbtree(K,V), ?A, -B:V, -U:rbtree(K,V)) + (is_det, cost(ub, allsols, steps, 10*log2(keys(T)+1)+8), cost(lb, steps, 2), size(U, keys(T)-1)).
:- trust pred rb_del_min(+T:rbtree(K,V), -A:K, -B:V, -U:rbtree(K,V)) + (is_det, cost(ub, allsols, steps, 8*log2(keys(T)+1)+6), cost(lb, steps, 1), size(U, keys(T)-1)).
:- trust pred rb_del_max(+T:rbtree(K,V), -A:K, -B:V, -U:rbtree(K,V)) + (is_det, cost(ub, allsols, steps, 8*log2(keys(T)+1)+6), cost(lb, steps, 1), size(U, keys(T)-1)).
