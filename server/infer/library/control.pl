% Control: goals that never return, and goals that do nothing.

:- trust_default + cost(exact, allsols, steps, 0).

:- trust pred true + (det, no_exception).
:- trust pred otherwise + (det, no_exception).
:- trust pred fail + (fails, no_exception).
:- trust pred (false) + (fails, no_exception).
:- trust pred halt + fails.
:- trust pred halt(?A) + fails.
:- trust pred throw(?A) + fails.
:- trust pred type_error(?A, ?B) + fails.
:- trust pred domain_error(?A, ?B) + fails.
:- trust pred existence_error(?A, ?B) + fails.
:- trust pred instantiation_error(?A) + fails.
:- trust pred permission_error(?A, ?B, ?C) + fails.
:- trust pred representation_error(?A) + fails.
:- trust pred resource_error(?A) + fails.
:- trust pred syntax_error(?A) + fails.
:- trust pred abort + fails.
