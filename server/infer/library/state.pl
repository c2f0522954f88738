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
:- trust pred format_time(+A:atm, ?B, ?C) + det.
:- trust pred format_time(?A, ?B, ?C) + is_det.
:- trust pred format_time(+A:atm, ?B, ?C, ?D) + det.
:- trust pred format_time(?A, ?B, ?C, ?D) + is_det.
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
:- trust pred nb_current(+A:atm, ?B) + is_det.
:- trust pred nb_current(?A, ?B).
:- trust pred nb_linkval(?A, ?B) + det.
:- trust pred nb_delete(?A) + det.
:- trust pred prolog_load_context(+A:atm, ?B) + is_det.
:- trust pred prolog_load_context(?A, ?B).
:- trust pred context_module(?A) + is_det.
:- trust pred current_module(?A).
:- trust pred module_property(?A, ?B).
:- trust pred source_file(?A).
:- trust pred source_file(?A, ?B).
:- trust pred source_file_property(?A, ?B).
:- trust pred clause_property(?A, ?B).
:- trust pred current_predicate(?A, ?B).
:- trust pred instance(?A, ?B) + is_det.
:- trust pred prolog_current_frame(-A:int) + (det, no_exception).
:- trust pred prolog_current_frame(?A) + is_det.
:- trust pred prolog_current_choice(?A) + is_det.
:- trust pred thread_local(?A) + det.
:- trust pred volatile(?A) + det.
:- trust pred garbage_collect_clauses + det.
% Threads. The cost of other threads is not counted.
:- trust pred thread_send_message(?A, ?B) + det.
:- trust pred thread_send_message(?A, ?B, ?C) + is_det.
:- trust pred thread_get_message(?A) + is_det.
:- trust pred thread_get_message(?A, ?B) + is_det.
:- trust pred thread_get_message(?A, ?B, ?C) + is_det.
:- trust pred thread_peek_message(?A) + is_det.
:- trust pred thread_peek_message(?A, ?B) + is_det.
:- trust pred thread_join(?A) + is_det.
:- trust pred thread_join(?A, ?B) + is_det.
:- trust pred thread_detach(?A) + is_det.
:- trust pred thread_exit(?A) + fails.
:- trust pred thread_property(?A, ?B).
:- trust pred thread_statistics(?A, ?B, ?C) + is_det.
:- trust pred message_queue_create(-A:nonvar) + det.
:- trust pred message_queue_create(?A) + is_det.
:- trust pred message_queue_create(?A, ?B) + is_det.
:- trust pred message_queue_destroy(?A) + is_det.
:- trust pred mutex_create(-A:nonvar) + det.
:- trust pred mutex_create(?A) + is_det.
:- trust pred mutex_create(?A, ?B) + is_det.
:- trust pred mutex_destroy(?A) + is_det.
:- trust pred mutex_lock(?A) + is_det.
:- trust pred mutex_trylock(?A) + is_det.
:- trust pred mutex_unlock(?A) + is_det.
% Tries contain copies of terms.
:- trust pred trie_new(-A:nonvar) + det.
:- trust pred trie_new(?A) + is_det.
:- trust pred trie_destroy(?A) + is_det.
:- trust pred trie_insert(?A, ?B) + is_det.
:- trust pred trie_insert(?A, ?B, ?C) + is_det.
:- trust pred trie_update(?A, ?B, ?C) + is_det.
:- trust pred trie_lookup(?A, ?B, ?C) + is_det.
:- trust pred trie_delete(?A, ?B, ?C) + is_det.
:- trust pred trie_gen(?A, ?B).
:- trust pred trie_gen(?A, ?B, ?C).
