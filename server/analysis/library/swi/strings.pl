% library(strings). Texts have no size here, so the steps of predicates that process the lines of a text are not stated.

:- trust pred string_lines(-A:ground, +B:list(atm)) + (det, cost(ub, allsols, steps, length(B)+2), cost(lb, steps, 1)).
:- trust pred string_lines(-A:ground, +B:list(num)) + (det, cost(ub, allsols, steps, length(B)+2), cost(lb, steps, 1)).
:- trust pred string_lines(+A:atm, -B:list(ground)) + (det, no_exception).
:- trust pred string_lines(+A:ground, -B:list(ground)) + is_det.
:- trust pred dedent_lines(+A:atm, -B:ground, +C:list) + is_det.
:- trust pred indent_lines(+A:atm, +B:atm, -C:ground) + is_det.
