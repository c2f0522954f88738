% library(dcg/basics): lists of codes, whose elements are numbers. The rest is no longer than the input.

:- trust pred blanks(+A:list(int), -B:list(int)) + (is_det, cost(ub, allsols, steps, 2*length(A)+3), cost(lb, steps, 2), size_ub(B, length(A))).
:- trust pred blanks(+A:list(int), ?B) + (is_det, cost(ub, allsols, steps, 2*length(A)+3), cost(lb, steps, 2)).
:- trust pred whites(+A:list(int), -B:list(int)) + (is_det, cost(ub, allsols, steps, 2*length(A)+3), cost(lb, steps, 2), size_ub(B, length(A))).
:- trust pred whites(+A:list(int), ?B) + (is_det, cost(ub, allsols, steps, 2*length(A)+3), cost(lb, steps, 2)).
:- trust pred blanks_to_nl(+A:list(int), -B:list(int)) + (is_det, cost(ub, allsols, steps, 3*length(A)+5), cost(lb, steps, 1), size_ub(B, length(A))).
:- trust pred blanks_to_nl(+A:list(int), ?B) + (is_det, cost(ub, allsols, steps, 3*length(A)+5), cost(lb, steps, 1)).
:- trust pred nonblanks(-A:list(int), +B:list(int), -C:list(int)) + (is_det, cost(ub, allsols, steps, length(B)+2), cost(lb, steps, 1), size_ub(A, length(B)), size_ub(C, length(B))).
:- trust pred nonblanks(-A:list(int), +B:list(int), ?C) + (is_det, cost(ub, allsols, steps, length(B)+2), cost(lb, steps, 1), size_ub(A, length(B))).
:- trust pred nonblanks(?A, +B:list(int), ?C) + (is_det, cost(ub, allsols, steps, length(B)+2)).
:- trust pred digits(-A:list(int), +B:list(int), -C:list(int)) + (is_det, cost(ub, allsols, steps, 2*length(B)+3), cost(lb, steps, 2), size_ub(A, length(B)), size_ub(C, length(B))).
:- trust pred digits(-A:list(int), +B:list(int), ?C) + (is_det, cost(ub, allsols, steps, 2*length(B)+3), cost(lb, steps, 2), size_ub(A, length(B))).
:- trust pred digits(?A, +B:list(int), ?C) + (is_det, cost(ub, allsols, steps, 2*length(B)+3)).
:- trust pred xdigits(-A:list(int), +B:list(int), -C:list(int)) + (is_det, cost(ub, allsols, steps, 2*length(B)+3), cost(lb, steps, 2), size_ub(A, length(B)), size_ub(C, length(B))).
:- trust pred xdigits(-A:list(int), +B:list(int), ?C) + (is_det, cost(ub, allsols, steps, 2*length(B)+3), cost(lb, steps, 2), size_ub(A, length(B))).
:- trust pred xdigits(?A, +B:list(int), ?C) + (is_det, cost(ub, allsols, steps, 2*length(B)+3)).
:- trust pred integer(-A:int, +B:list(int), -C:list(int)) + (is_det, cost(ub, allsols, steps, 2*length(B)+7), cost(lb, steps, 3), size_ub(C, length(B))).
:- trust pred integer(-A:int, +B:list(int), ?C) + (is_det, cost(ub, allsols, steps, 2*length(B)+7), cost(lb, steps, 3)).
:- trust pred integer(?A, +B:list(int), ?C) + (is_det, cost(ub, allsols, steps, 2*length(B)+7)).
:- trust pred string(-A:list(int), +B:list(int), -C:list(int)) + (no_exception, cost(ub, allsols, steps, 2*length(B)+2), cost(lb, steps, 1), size_ub(A, length(B)), size_ub(C, length(B))).
:- trust pred string(-A:list(int), +B:list(int), ?C) + (no_exception, cost(ub, allsols, steps, 2*length(B)+2), cost(lb, steps, 1), size_ub(A, length(B))).
:- trust pred remainder(-A:list(int), +B:list(int), -C:list(int)) + (is_det, no_exception, cost(ub, allsols, steps, 1), cost(lb, steps, 1), size_ub(A, length(B)), size_ub(C, length(B))).
:- trust pred remainder(-A:list(int), +B:list(int), ?C) + (is_det, no_exception, cost(ub, allsols, steps, 1), size_ub(A, length(B))).
:- trust pred remainder(?A, +B:list(int), ?C) + (is_det, cost(ub, allsols, steps, 1)).
:- trust pred prolog_var_name(-A:atm, +B:list(int), -C:list(int)) + (is_det, cost(ub, allsols, steps, length(B)+2), size_ub(C, length(B))).
:- trust pred prolog_var_name(-A:atm, +B:list(int), ?C) + (is_det, cost(ub, allsols, steps, length(B)+2)).
:- trust pred prolog_var_name(?A, +B:list(int), ?C) + (is_det, cost(ub, allsols, steps, length(B)+2)).
:- trust pred eol(+A:list(int), -B:list(int)) + (is_det, cost(ub, allsols, steps, 4), cost(lb, steps, 1), size_ub(B, length(A))).
:- trust pred eol(+A:list(int), ?B) + (is_det, cost(ub, allsols, steps, 4), cost(lb, steps, 1)).
:- trust pred blank(+A:list(int), ?B) + (is_det, cost(ub, allsols, steps, 1)).
:- trust pred white(+A:list(int), ?B) + (is_det, cost(ub, allsols, steps, 1)).
:- trust pred blank(+A:list(int), -B:list(int)) + (is_det, cost(ub, allsols, steps, 1), size(B, length(A)-1)).
:- trust pred white(+A:list(int), -B:list(int)) + (is_det, cost(ub, allsols, steps, 1), size(B, length(A)-1)).
:- trust pred nonblank(-A:int, +B:list(int), -C:list(int)) + (is_det, cost(ub, allsols, steps, 1), size(C, length(B)-1)).
:- trust pred nonblank(-A:int, +B:list(int), ?C) + (is_det, cost(ub, allsols, steps, 1)).
:- trust pred digit(-A:int, +B:list(int), -C:list(int)) + (is_det, cost(ub, allsols, steps, 1), size(C, length(B)-1)).
:- trust pred digit(-A:int, +B:list(int), ?C) + (is_det, cost(ub, allsols, steps, 1)).
:- trust pred eos(?A, ?B) + (is_det, no_exception, cost(ub, allsols, steps, 2)).
:- trust pred integer(+A:int, -B, -C) + (det, cost(exact, allsols, steps, 1)).
:- trust pred integer(+A:int, ?B, ?C) + (is_det, cost(ub, allsols, steps, 1)).
:- trust pred number(+A:num, ?B, ?C) + (is_det, cost(ub, allsols, steps, 1)).
:- trust pred atom(+A:atm, ?B, ?C) + (is_det, cost(ub, allsols, steps, 1)).
:- trust pred string_without(+A:list(int), -B:list(int), +C:list(int), -D:list(int)) + (cost(ub, allsols, steps, 2*length(C)+3), cost(lb, steps, 2), size_ub(B, length(C)), size_ub(D, length(C))).
:- trust pred string_without(+A:list(int), -B:list(int), +C:list(int), ?D) + (cost(ub, allsols, steps, 2*length(C)+3), cost(lb, steps, 2), size_ub(B, length(C))).
