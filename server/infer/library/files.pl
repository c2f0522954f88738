% Names of files, and the contents of streams.

:- trust_default + cost(exact, allsols, steps, 0).

:- trust pred file_base_name(+A:atm, -B:atm) + (det, no_exception).
:- trust pred file_base_name(?A, ?B) + is_det.
:- trust pred file_directory_name(+A:atm, -B:atm) + (det, no_exception).
:- trust pred file_directory_name(?A, ?B) + is_det.
:- trust pred file_name_extension(?A, ?B, ?C) + is_det.
:- trust pred size_file(?A, -B:nat) + det.
:- trust pred size_file(?A, ?B) + is_det.
:- trust pred directory_files(?A, -B:list(atm)) + det.
:- trust pred directory_files(?A, ?B) + is_det.
:- trust pred absolute_file_name(?A, -B:atm) + is_det.
:- trust pred absolute_file_name(?A, ?B) + is_det.
:- trust pred absolute_file_name(?A, ?B, ?C).
:- trust pred read_string(?A, ?B, ?C) + is_det.
:- trust pred read_string(?A, ?B, ?C, ?D, ?E) + is_det.
:- trust pred peek_string(?A, ?B, ?C) + is_det.
:- trust pred read_pending_codes(?A, ?B, ?C) + is_det.
:- trust pred set_stream(?A, ?B) + is_det.
:- trust pred seek(?A, ?B, ?C, ?D) + is_det.
:- trust pred copy_stream_data(?A, ?B) + is_det.
:- trust pred copy_stream_data(?A, ?B, ?C) + is_det.
:- trust pred prompt1(?A) + is_det.
:- trust pred access_file(?A, ?B) + is_det.
:- trust pred same_file(?A, ?B) + is_det.
:- trust pred time_file(?A, -B:num) + det.
:- trust pred time_file(?A, ?B) + is_det.
:- trust pred make_directory(?A) + det.
:- trust pred delete_directory(?A) + det.
:- trust pred rename_file(?A, ?B) + det.
:- trust pred read_link(?A, ?B, ?C) + is_det.
:- trust pred expand_file_name(?A, -B:list(atm)) + det.
:- trust pred expand_file_name(?A, ?B) + is_det.
:- trust pred prolog_to_os_filename(?A, ?B) + is_det.
:- trust pred tmp_file_stream(?A, ?B, ?C) + is_det.
