% library(occurs): occurrences of terms, in time proportional to the number of subterms.

:- trust pred contains_term(?A, +B:ground) + (is_det, no_exception, cost(ub, allsols, steps, size(B))).
:- trust pred contains_term(?A, ?B) + (is_det, no_exception).
:- trust pred contains_var(?A, +B:ground) + (is_det, no_exception, cost(ub, allsols, steps, size(B))).
:- trust pred contains_var(?A, ?B) + (is_det, no_exception).
:- trust pred free_of_term(?A, +B:ground) + (is_det, no_exception, cost(ub, allsols, steps, size(B)+1), cost(lb, steps, 1)).
:- trust pred free_of_term(?A, ?B) + (is_det, no_exception, cost(lb, steps, 1)).
:- trust pred free_of_var(?A, +B:ground) + (is_det, no_exception, cost(ub, allsols, steps, size(B)+1), cost(lb, steps, 1)).
:- trust pred free_of_var(?A, ?B) + (is_det, no_exception, cost(lb, steps, 1)).
:- trust pred sub_term(-A:ground, +B:ground) + (no_exception, cost(ub, allsols, steps, 2*size(B)), cost(lb, steps, 1), solutions(size(B)), size_ub(A, size(B)), size_lb(A, 1)).
:- trust pred sub_term(?A, +B:ground) + (no_exception, cost(ub, allsols, steps, 2*size(B)), solutions(ub, size(B))).
:- trust pred sub_var(?A, +B:ground) + (no_exception, cost(ub, allsols, steps, 2*size(B)), solutions(ub, size(B))).
:- trust pred occurrences_of_term(?A, +B:ground, -C:nat) + (det, no_exception, cost(ub, allsols, steps, 2*size(B)+2), cost(lb, steps, 2), size_ub(C, size(B))).
:- trust pred occurrences_of_term(?A, +B:ground, ?C) + (is_det, no_exception, cost(ub, allsols, steps, 2*size(B)+2), cost(lb, steps, 2)).
:- trust pred occurrences_of_var(?A, +B:ground, -C:nat) + (det, no_exception, cost(ub, allsols, steps, 2*size(B)+2), cost(lb, steps, 2), size_ub(C, size(B))).
:- trust pred occurrences_of_var(?A, +B:ground, ?C) + (is_det, no_exception, cost(ub, allsols, steps, 2*size(B)+2), cost(lb, steps, 2)).
