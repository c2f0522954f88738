% library(terms): predicates that inspect two terms. Those that call a goal for each part of a term are not included.

:- trust pred term_size(?A, -B:nat) + (det, no_exception, cost(exact, allsols, steps, 1)).
:- trust pred term_size(?A, ?B) + (is_det, cost(exact, allsols, steps, 1)).
:- trust pred variant(?A, ?B) + (is_det, no_exception, cost(exact, allsols, steps, 1)).
:- trust pred subsumes_chk(?A, ?B) + (is_det, no_exception, cost(exact, allsols, steps, 1)).
:- trust pred subsumes(?A, ?B) + (is_det, no_exception, cost(exact, allsols, steps, 1)).
:- trust pred same_functor(?A, ?B) + (is_det, cost(exact, allsols, steps, 2)).
:- trust pred same_functor(+A:nonvar, +B:nonvar) + (is_det, no_exception, cost(exact, allsols, steps, 2)).
:- trust pred same_functor(+A:nonvar, ?B, -C:nat) + (is_det, no_exception, cost(exact, allsols, steps, 2)).
:- trust pred same_functor(?A, ?B, ?C) + (is_det, cost(exact, allsols, steps, 2)).
:- trust pred same_functor(+A:nonvar, ?B, -C, -D:nat) + (is_det, no_exception, cost(exact, allsols, steps, 1)).
:- trust pred same_functor(?A, ?B, ?C, ?D) + (is_det, cost(exact, allsols, steps, 1)).
