% Clauses, global variables, flags, the system.

:- trust_default + cost(exact, allsols, steps, 0).

:- trust pred assert(?A) + det.
:- trust pred asserta(?A) + det.
:- trust pred assertz(?A) + det.
:- trust pred retractall(?A) + det.
:- trust pred erase(?A) + det.
:- trust pred dynamic(?A) + det.
:- trust pred discontiguous(?A) + det.
:- trust pred style_check(?A) + det.
:- trust pred nb_setval(?A, ?B) + det.
:- trust pred b_setval(?A, ?B) + det.
:- trust pred set_prolog_flag(?A, ?B) + det.
:- trust pred op(?A, ?B, ?C) + det.
:- trust pred flag(?A, -B:num, ?C) + det.
:- trust pred flag(?A, ?B, ?C) + is_det.
:- trust pred nb_getval(?A, -B) + det.
:- trust pred nb_getval(?A, ?B) + is_det.
:- trust pred b_getval(?A, -B) + det.
:- trust pred b_getval(?A, ?B) + is_det.
:- trust pred statistics(?A, -B) + det.
:- trust pred statistics(?A, ?B) + is_det.
:- trust pred recorda(?A, ?B) + det.
:- trust pred recorda(?A, ?B, -C:nonvar) + det.
:- trust pred recorda(?A, ?B, ?C) + is_det.
:- trust pred recordz(?A, ?B) + det.
:- trust pred recordz(?A, ?B, -C:nonvar) + det.
:- trust pred recordz(?A, ?B, ?C) + is_det.
:- trust pred get_time(-A:num) + (det, no_exception).
:- trust pred get_time(?A) + is_det.
:- trust pred cyclic_term(?A) + (is_det, no_exception).
:- trust pred acyclic_term(?A) + (is_det, no_exception).
:- trust pred exists_file(?A) + is_det.
:- trust pred exists_directory(?A) + is_det.
:- trust pred is_stream(?A) + (is_det, no_exception).
:- trust pred abolish(?A) + det.
:- trust pred abolish(?A, ?B) + det.
:- trust pred current_prolog_flag(+A:atm, -B) + is_det.
:- trust pred getenv(+A:ground, -B:atm) + is_det.
:- trust pred getenv(?A, ?B) + is_det.
:- trust pred setenv(?A, ?B) + det.
:- trust pred unsetenv(?A) + det.
:- trust pred tmp_file(?A, ?B) + is_det.
:- trust pred delete_file(?A) + det.
:- trust pred shell(?A) + is_det.
:- trust pred shell(?A, ?B) + is_det.
:- trust pred sleep(?A) + det.
:- trust pred prompt(?A, ?B) + is_det.
:- trust pred thread_self(-A:ground) + (det, no_exception).
:- trust pred thread_self(?A) + is_det.
:- trust pred stamp_date_time(?A, ?B, ?C) + is_det.
:- trust pred format_time(?A, ?B, ?C) + det.
:- trust pred working_directory(?A, ?B) + is_det.
:- trust pred assert(?A, -B:nonvar) + det.
:- trust pred assert(?A, ?B) + is_det.
:- trust pred asserta(?A, -B:nonvar) + det.
:- trust pred asserta(?A, ?B) + is_det.
:- trust pred assertz(?A, -B:nonvar) + det.
:- trust pred assertz(?A, ?B) + is_det.
:- trust pred get_flag(?A, -B:num) + is_det.
:- trust pred get_flag(?A, ?B) + is_det.
:- trust pred set_flag(?A, ?B) + is_det.
:- trust pred garbage_collect_atoms + det.
:- trust pred trim_stacks + det.
:- trust pred tracing + is_det.
:- trust pred notrace + det.
:- trust pred is_thread(?A) + is_det.
:- trust pred is_engine(?A) + is_det.
:- trust pred is_trie(?A) + is_det.
:- trust pred source_location(?A, ?B) + is_det.
:- trust pred date_time_stamp(?A, -B:num) + is_det.
:- trust pred date_time_stamp(?A, ?B) + is_det.
