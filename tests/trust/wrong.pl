% Lines that are not true: the comparison with SWI-Prolog has to find each of them.
:- trust pred atom_length(?A, ?B) + det.
:- trust pred atom_length(+A:ground, -B:nat) + (det, no_exception).
:- trust pred atom_length(+A:atm, -B:positive_integer) + det.
:- trust pred number_codes(+A:num, -B:list(int)) + size_lb(B, 3).
:- trust pred sub_atom(+A:atm, -B, -C, -D, -E) + is_det.
:- trust pred functor(+A:nonvar, -B:ground, -C:nat) + (det, no_exception).
:- trust pred msort(+A:list, -B:list) + size(B, length(A)+1).
:- trust pred upcase_atom(+A:ground, -B:int) + det.
:- trust pred succ(+A:nat, -B:int) + size(B, A).
:- trust pred compare(-A:atm, ?B, ?C) + fails.
:- trust pred plus(+A:int, +B:int, -C:int) + solutions(2).
:- trust pred sort(+A:list, -B:list) + size(B, length(A)).
% Of what SWI-Prolog has in Prolog: steps too many and too few, sizes.
:- trust pred subtract(+A:list, +B:list, -C:list) + cost(ub, allsols, steps, length(A)).
:- trust pred last(+A:list, -B) + cost(lb, steps, length(A)+2).
:- trust pred sum_list(+A:list(int), -B:int) + cost(exact, steps, length(A)+1).
:- trust pred pairs_keys(+A:list(pair), -B:list) + size(B, length(A)+1).
% Numbers of solutions by sizes.
:- trust pred member(-A, +B:list) + solutions(length(B)+1).
:- trust pred nextto(?A, ?B, +C:list(int)) + solutions(ub, 0).
