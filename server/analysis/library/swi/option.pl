% library(option): lists of options, or a dict of them, which takes fewer steps.

:- trust pred option(?A, +B:list) + (is_det, cost(ub, allsols, steps, 3), cost(lb, steps, 2)).
:- trust pred option(?A, ?B) + (is_det, cost(ub, allsols, steps, 3)).
:- trust pred option(?A, +B:list, ?C) + (is_det, cost(ub, allsols, steps, 4), cost(lb, steps, 2)).
:- trust pred option(?A, ?B, ?C) + (is_det, cost(ub, allsols, steps, 4)).

:- trust pred select_option(?A, +B:list, -C:list) + (is_det, cost(ub, allsols, steps, 4*length(B)+8), cost(lb, steps, 3), size(C, length(B)-1)).
:- trust pred select_option(?A, +B:list, ?C) + (is_det, cost(ub, allsols, steps, 4*length(B)+8), cost(lb, steps, 3)).
:- trust pred select_option(?A, +B:list, -C:list, ?D) + (is_det, cost(ub, allsols, steps, 4*length(B)+8), cost(lb, steps, 3), size_ub(C, length(B)), size_lb(C, length(B)-1)).
:- trust pred select_option(?A, +B:list, ?C, ?D) + (is_det, cost(ub, allsols, steps, 4*length(B)+8), cost(lb, steps, 3)).

:- trust pred merge_options(+A:list, +B:list, -C:list) + (is_det, cost(ub, allsols, steps, 4*length(A)+4*length(B)+11), cost(lb, steps, 2), size_ub(C, length(A)+length(B))).
