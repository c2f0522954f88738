% library(rbtrees). Leaves contain variables and share a node of any size, so the size of a tree after an insertion is not stated: a
% single operation has a bound, a loop of insertions has none. Bounds are in the size and not in its logarithm, like those of library(assoc).

:- regtype rbtree/1.
rbtree(t(N, T)) :- rbnode(N), rbnode(T).
:- regtype rbnode/1.
rbnode('').
rbnode(black(L, _, _, R)) :- rbnode(L), rbnode(R).
rbnode(red(L, _, _, R)) :- rbnode(L), rbnode(R).

:- trust pred rb_new(-A:rbtree) + (det, no_exception, cost(exact, allsols, steps, 1), size(A, 11)).
:- trust pred rb_new(?A) + (is_det, cost(ub, allsols, steps, 1)).
:- trust pred rb_empty(-A:rbtree) + (det, no_exception, cost(exact, allsols, steps, 1), size(A, 11)).
:- trust pred rb_empty(?A) + (is_det, no_exception, cost(ub, allsols, steps, 1)).
:- trust pred rb_lookup(?A, ?B, +C:rbtree) + (is_det, cost(ub, allsols, steps, 1/2*size(C)+2), cost(lb, steps, 2)).
:- trust pred rb_insert(+A:rbtree, ?B, ?C, -D:rbtree) + (is_det, cost(ub, allsols, steps, 5/4*size(A)+1/4), cost(lb, steps, 2)).
:- trust pred rb_insert_new(+A:rbtree, ?B, ?C, -D:rbtree) + (is_det, cost(ub, allsols, steps, 5/4*size(A)+1/4), cost(lb, steps, 2)).
:- trust pred rb_update(+A:rbtree, ?B, ?C, -D:rbtree) + (is_det, no_exception, cost(ub, allsols, steps, 1/4*size(A)+1/4), cost(lb, steps, 1)).
:- trust pred rb_update(+A:rbtree, ?B, ?C, ?D, -E:rbtree) + (is_det, no_exception, cost(ub, allsols, steps, 1/4*size(A)+1/4), cost(lb, steps, 1)).
:- trust pred rb_visit(+A:rbtree, -B:list) + (is_det, cost(ub, allsols, steps, 1/4*size(A)+1/4), cost(lb, steps, 1), size_ub(B, 1/8*size(A))).
:- trust pred rb_keys(+A:rbtree, -B:list) + (is_det, cost(ub, allsols, steps, 1/4*size(A)+1/4), cost(lb, steps, 1), size_ub(B, 1/8*size(A))).
:- trust pred rb_min(+A:rbtree, ?B, ?C) + (is_det, cost(ub, allsols, steps, 1/4*size(A)+5/4), cost(lb, steps, 1)).
:- trust pred rb_max(+A:rbtree, ?B, ?C) + (is_det, cost(ub, allsols, steps, 1/4*size(A)+5/4), cost(lb, steps, 1)).
:- trust pred rb_next(+A:rbtree, ?B, ?C, ?D) + (is_det, cost(ub, allsols, steps, 1/2*size(A)+5/2), cost(lb, steps, 2)).
:- trust pred rb_previous(+A:rbtree, ?B, ?C, ?D) + (is_det, cost(ub, allsols, steps, 1/2*size(A)+5/2), cost(lb, steps, 2)).
:- trust pred rb_size(+A:rbtree, -B:nat) + (is_det, cost(ub, allsols, steps, 1/4*size(A)+1/4), cost(lb, steps, 1), size_ub(B, 1/8*size(A))).
:- trust pred list_to_rbtree(+A:list, -B:rbtree) + (is_det, cost(ub, allsols, steps, 3*length(A)+3), cost(lb, steps, 2)).
:- trust pred ord_list_to_rbtree(+A:list, -B:rbtree) + (is_det, cost(ub, allsols, steps, 3*length(A)+2), cost(lb, steps, 1)).
:- trust pred rb_delete(+A:rbtree, ?B, -C:rbtree) + (is_det, cost(ub, allsols, steps, 5/4*size(A)+1), cost(lb, steps, 2)).
:- trust pred rb_delete(+A:rbtree, ?B, ?C, -D:rbtree) + (is_det, cost(ub, allsols, steps, 5/4*size(A)+1), cost(lb, steps, 2)).
:- trust pred rb_del_min(+A:rbtree, ?B, ?C, -D:rbtree) + (is_det, cost(ub, allsols, steps, 5/4*size(A)+1), cost(lb, steps, 1)).
:- trust pred rb_del_max(+A:rbtree, ?B, ?C, -D:rbtree) + (is_det, cost(ub, allsols, steps, 5/4*size(A)+1), cost(lb, steps, 1)).
:- trust pred rb_in(?A, ?B, +C:rbtree) + (no_exception, cost(ub, allsols, steps, 5/4*size(C)+1), cost(lb, steps, 2), solutions(ub, 1/4*size(C))).
:- trust pred rb_clone(+A:rbtree, -B:rbtree, -C:list) + (is_det, cost(ub, allsols, steps, 1/4*size(A)+1/4), cost(lb, steps, 1), size_ub(C, 1/8*size(A))).
