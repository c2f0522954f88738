% Terms, lists that are handled in C, and arithmetic other than is/2.

:- trust_default + cost(exact, allsols, steps, 0).

:- trust pred functor(?A, ?B, -C:int).
:- trust pred functor(+A:nonvar, -B:ground, -C:nat) + det.
:- trust pred functor(+A:atom_or_string, -B:ground, -C:nat) + (det, no_exception).
:- trust pred functor(+A:num, -B:ground, -C:nat) + (det, no_exception).
:- trust pred functor(+A:list, -B:ground, -C:nat) + (det, no_exception).
:- trust pred functor(?A, ?B, ?C) + is_det.
:- trust pred '=..'(?A, -B:list).
:- trust pred '=..'(+A:nonvar, -B:list) + (det, size_lb(B, 1)).
:- trust pred '=..'(?A, ?B) + is_det.
:- trust pred arg(-A:int, ?B, ?C).
:- trust pred arg(+A:ground, ?B, ?C) + is_det.
:- trust pred arg(?A, ?B, ?C).
:- trust pred copy_term(?A, -B) + (det, no_exception).
:- trust pred copy_term(?A, ?B) + (is_det, no_exception).
:- trust pred term_variables(?A, -B:list) + (det, no_exception).
:- trust pred term_variables(?A, ?B) + (is_det, no_exception).
:- trust pred compare(-A:atm, ?B, ?C) + (det, no_exception).
:- trust pred compare(?A, ?B, ?C) + is_det.
:- trust pred compound_name_arguments(+A:nonvar, -B:ground, -C:list) + det.
:- trust pred compound_name_arguments(?A, ?B, ?C) + is_det.
:- trust pred compound_name_arity(+A:nonvar, -B:ground, -C:nat) + det.
:- trust pred compound_name_arity(?A, ?B, ?C) + is_det.
:- trust pred setarg(?A, ?B, ?C) + is_det.
:- trust pred nb_setarg(+A:int, +B:nonvar, ?C) + is_det.
:- trust pred nb_setarg(?A, ?B, ?C) + is_det.
% SWI-Prolog 10.1 fails for numbers below 0, 9.0 does not.
:- trust pred numbervars(?A, +B:nat, -C:int) + det.
:- trust pred numbervars(?A, +B:int, -C:int) + is_det.
:- trust pred numbervars(?A, ?B, ?C) + is_det.
:- trust pred unify_with_occurs_check(?A, ?B) + is_det.
:- trust pred '?='(+A:ground, +B:ground) + (det, no_exception).
:- trust pred '?='(?A, ?B) + is_det.
:- trust pred subsumes_term(?A, ?B) + is_det.
:- trust pred numbervars(?A) + is_det.
:- trust pred '=@='(?A, ?B) + is_det.
:- trust pred '\\=@='(?A, ?B) + is_det.
:- trust pred msort(+A:list, -B:list) + (det, no_exception, size(B, length(A))).
:- trust pred msort(?A, ?B) + is_det.
:- trust pred keysort(+A:list, -B:list) + (det, size(B, length(A))).
:- trust pred keysort(?A, ?B) + is_det.
:- trust pred sort(?A, -B:list).
:- trust pred sort(+A:list, -B:list) + (det, no_exception, size_ub(B, length(A))).
:- trust pred sort(?A, ?B) + is_det.
:- trust pred sort(?A, ?B, ?C, -D:list).
:- trust pred sort(?A, ?B, ?C, ?D) + is_det.
:- trust pred memberchk(?A, +B:list) + (is_det, no_exception).
:- trust pred memberchk(?A, ?B) + is_det.
:- trust pred succ(-A:int, ?B).
:- trust pred succ(?A, -B:int).
:- trust pred succ(+A:nat, -B:positive_integer) + (det, no_exception, size(B, A+1)).
:- trust pred succ(?A, ?B) + is_det.
:- trust pred plus(-A:int, ?B, ?C).
:- trust pred plus(?A, -B:int, ?C).
:- trust pred plus(?A, ?B, -C:int).
:- trust pred plus(+A:int, +B:int, -C:int) + (det, no_exception, size(C, A+B)).
:- trust pred plus(?A, ?B, ?C) + is_det.
:- trust pred random(-A:num) + (det, no_exception).
:- trust pred random(?A) + is_det.
:- trust pred copy_term(?A, ?B, ?C) + is_det.
:- trust pred term_variables(?A, ?B, ?C) + is_det.
:- trust pred term_hash(?A, ?B) + is_det.
:- trust pred variant_sha1(?A, ?B) + is_det.
:- trust pred variant_hash(?A, ?B) + is_det.
:- trust pred duplicate_term(?A, -B) + (det, no_exception).
:- trust pred duplicate_term(?A, ?B) + is_det.
:- trust pred unifiable(?A, ?B, -C:list) + is_det.
:- trust pred unifiable(?A, ?B, ?C) + is_det.
:- trust pred set_random(?A) + det.
:- trust pred strip_module(?A, ?B, ?C) + is_det.
:- trust pred '$btree_find_node'(?A, ?B, ?C, -D:nonvar, -E:atm) + is_det.
:- trust pred '$btree_find_node'(?A, ?B, ?C, -D:nonvar, ?E) + is_det.
:- trust pred '$btree_find_node'(?A, ?B, ?C, ?D, ?E) + is_det.
:- trust pred '$filled_array'(-A:nonvar, ?B, ?C, ?D) + det.
:- trust pred '$filled_array'(?A, ?B, ?C, ?D) + is_det.
:- trust pred '$seek_list'(+A:nat, +B:list, -C:nat, -D:list) + (is_det, size_ub(C, A), size_ub(D, length(B))).
:- trust pred '$seek_list'(+A:int, ?B, -C:int, ?D) + (is_det, size_ub(C, A)).
:- trust pred '$seek_list'(?A, ?B, ?C, ?D) + is_det.
:- trust pred divmod(?A, ?B, -C:int, -D:int) + is_det.
:- trust pred divmod(?A, ?B, ?C, ?D) + is_det.
:- trust pred nth_integer_root_and_remainder(?A, ?B, -C:int, -D:int) + is_det.
:- trust pred nth_integer_root_and_remainder(?A, ?B, ?C, ?D) + is_det.
:- trust pred same_term(?A, ?B) + is_det.
:- trust pred attvar(?A) + (is_det, no_exception).
:- trust pred is_most_general_term(?A) + is_det.
:- trust pred nonground(?A, ?B) + is_det.
:- trust pred copy_term_nat(?A, ?B) + is_det.
:- trust pred functor(?A, ?B, ?C, ?D) + is_det.
:- trust pred term_attvars(?A, ?B) + is_det.
:- trust pred term_singletons(?A, ?B) + is_det.
:- trust pred var_number(?A, ?B) + is_det.
:- trust pred float_class(?A, ?B) + is_det.
:- trust pred float_parts(?A, ?B, ?C, ?D) + is_det.
:- trust pred bounded_number(?A, ?B, ?C) + is_det.
:- trust pred get_attr(?A, ?B, ?C) + is_det.
:- trust pred get_attrs(?A, ?B) + is_det.
:- trust pred del_attr(?A, ?B) + det.
:- trust pred del_attrs(?A) + (det, no_exception).
:- trust pred frozen(?A, ?B) + is_det.
:- trust pred blob(?A, -B:atm) + (is_det, no_exception).
:- trust pred blob(?A, ?B) + is_det.
:- trust pred rational(?A, -B:int, -C:int) + (is_det, no_exception).
:- trust pred rational(?A, ?B, ?C) + is_det.
:- trust pred numbervars(?A, +B:int, -C:int, ?D) + det.
:- trust pred numbervars(?A, ?B, ?C, ?D) + is_det.
:- trust pred copy_term(?A, ?B, ?C, ?D) + is_det.
:- trust pred copy_term_nat(?A, ?B, ?C, ?D) + is_det.
:- trust pred term_hash(?A, ?B, ?C, ?D) + is_det.
:- trust pred size_abstract_term(?A, ?B, ?C) + is_det.
:- trust pred current_arithmetic_function(+A:nonvar) + is_det.
:- trust pred current_arithmetic_function(?A).
