% Dicts.

:- trust_default + cost(exact, allsols, steps, 0).

:- trust pred is_dict(?A) + (is_det, no_exception).
:- trust pred is_dict(?A, ?B) + is_det.
:- trust pred get_dict(+A:atm, ?B, ?C) + is_det.
:- trust pred get_dict(+A:int, ?B, ?C) + is_det.
:- trust pred get_dict(?A, ?B, ?C).
:- trust pred get_dict(?A, ?B, ?C, ?D, ?E) + is_det.
:- trust pred put_dict(?A, ?B, ?C) + is_det.
:- trust pred put_dict(?A, ?B, ?C, ?D) + is_det.
:- trust pred del_dict(?A, ?B, ?C, ?D) + is_det.
:- trust pred dict_pairs(-A, ?B, +C:list) + is_det.
:- trust pred dict_pairs(?A, ?B, -C:list) + is_det.
:- trust pred dict_pairs(?A, ?B, ?C) + is_det.
:- trust pred dict_create(?A, ?B, ?C) + is_det.
:- trust pred ':<'(?A, ?B) + is_det.
:- trust pred '>:<'(?A, ?B) + is_det.
:- trust pred b_set_dict(?A, ?B, ?C) + is_det.
:- trust pred nb_set_dict(?A, ?B, ?C) + is_det.
:- trust pred select_dict(?A, ?B, ?C) + is_det.
% `D.get(K)`. Functions that have one value, or may be the program's, are distinguished earlier (server/infer/src/clause/dicts.rs).
:- trust pred '.'(?A, ?B, ?C).
