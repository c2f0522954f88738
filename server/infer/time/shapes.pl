% Upper bounds on the growth of the time of built-ins with their arguments: cost(o, time, E) is O(E). A first line is about the calls with its modes.
%
% length(A) is that of a list, or the number of characters of a text; size(A) counts constants, functors, and the characters of texts; int(A) is the
% value. Numbers count as one, and so does the unification or comparison of two list elements. A time is constant if one bound holds for all arguments;
% it is inf if the arguments do not bound it: clauses, files, input, hooks of the program.
% A factor relates a unit of one argument to a unit of another: writing a symbol takes as long as eight characters of a format.
% written_format(A): the format is written in the call, and has no ~p, ~@ or ~*c, and no number above 99.

% control.pl
:- trust pred true + cost(o, time, 1).
:- trust pred otherwise + cost(o, time, 1).
:- trust pred fail + cost(o, time, 1).
:- trust pred (false) + cost(o, time, 1).
:- trust pred halt + cost(o, time, inf).
:- trust pred halt(?A) + cost(o, time, inf).
:- trust pred throw(?A) + cost(o, time, size(A)).
:- trust pred type_error(?A, ?B) + cost(o, time, size(A)+size(B)).
:- trust pred domain_error(?A, ?B) + cost(o, time, size(A)+size(B)).
:- trust pred existence_error(?A, ?B) + cost(o, time, size(A)+size(B)).
:- trust pred instantiation_error(?A) + cost(o, time, 1).
:- trust pred permission_error(?A, ?B, ?C) + cost(o, time, size(A)+size(B)+size(C)).
:- trust pred representation_error(?A) + cost(o, time, size(A)).
:- trust pred resource_error(?A) + cost(o, time, size(A)).
:- trust pred syntax_error(?A) + cost(o, time, size(A)).
:- trust pred abort + cost(o, time, inf).
% terms.pl
:- trust pred functor(+A, ?B, ?C) + cost(o, time, 1).
:- trust pred functor(-A, +B, +C) + cost(o, time, int(C)).
:- trust pred '=..'(?A, ?B) + cost(o, time, length(B)).
:- trust pred arg(+A, ?B, ?C) + cost(o, time, 1).
:- trust pred arg(-A, ?B, ?C) + cost(o, time, size(B)).
:- trust pred copy_term(?A, ?B) + cost(o, time, size(A)).
:- trust pred term_variables(?A, ?B) + cost(o, time, size(A)).
:- trust pred compare(?A, ?B, ?C) + cost(o, time, min(size(B),size(C))).
:- trust pred compound_name_arguments(?A, ?B, ?C) + cost(o, time, length(C)).
:- trust pred compound_name_arity(+A, ?B, ?C) + cost(o, time, 1).
:- trust pred compound_name_arity(-A, +B, +C) + cost(o, time, int(C)).
:- trust pred setarg(?A, ?B, ?C) + cost(o, time, 1).
:- trust pred nb_setarg(?A, ?B, ?C) + cost(o, time, size(C)).
:- trust pred numbervars(?A, ?B, ?C) + cost(o, time, size(A)).
:- trust pred unify_with_occurs_check(?A, ?B) + cost(o, time, size(A)+size(B)).
:- trust pred '?='(?A, ?B) + cost(o, time, size(A)+size(B)).
:- trust pred subsumes_term(?A, ?B) + cost(o, time, size(A)+size(B)).
:- trust pred numbervars(?A) + cost(o, time, size(A)).
:- trust pred '=@='(?A, ?B) + cost(o, time, size(A)+size(B)).
:- trust pred '\\=@='(?A, ?B) + cost(o, time, size(A)+size(B)).
:- trust pred msort(?A, ?B) + cost(o, time, length(A)*log2(length(A))).
:- trust pred keysort(?A, ?B) + cost(o, time, length(A)*log2(length(A))).
:- trust pred sort(?A, ?B) + cost(o, time, length(A)*log2(length(A))).
:- trust pred sort(?A, ?B, ?C, ?D) + cost(o, time, length(C)*log2(length(C))).
:- trust pred memberchk(?A, ?B) + cost(o, time, length(B)).
:- trust pred succ(?A, ?B) + cost(o, time, 1).
:- trust pred plus(?A, ?B, ?C) + cost(o, time, 1).
:- trust pred random(?A) + cost(o, time, 1).
:- trust pred copy_term(?A, ?B, ?C) + cost(o, time, size(A)).
:- trust pred term_variables(?A, ?B, ?C) + cost(o, time, size(A)).
:- trust pred term_hash(?A, ?B) + cost(o, time, size(A)).
:- trust pred variant_sha1(?A, ?B) + cost(o, time, size(A)).
:- trust pred variant_hash(?A, ?B) + cost(o, time, size(A)).
:- trust pred duplicate_term(?A, ?B) + cost(o, time, size(A)).
:- trust pred unifiable(?A, ?B, ?C) + cost(o, time, size(A)+size(B)).
:- trust pred set_random(?A) + cost(o, time, 1).
:- trust pred strip_module(?A, ?B, ?C) + cost(o, time, 1).
:- trust pred '$btree_find_node'(?A, ?B, ?C, ?D, ?E) + cost(o, time, size(B)).
:- trust pred '$filled_array'(?A, ?B, ?C, ?D) + cost(o, time, int(C)).
:- trust pred '$seek_list'(?A, ?B, ?C, ?D) + cost(o, time, int(A)).
% text.pl
:- trust pred atom_length(?A, ?B) + cost(o, time, 1).
:- trust pred string_length(?A, ?B) + cost(o, time, length(A)).
:- trust pred atom_codes(?A, ?B) + cost(o, time, length(B)).
:- trust pred atom_chars(?A, ?B) + cost(o, time, length(B)).
:- trust pred char_code(?A, ?B) + cost(o, time, 1).
:- trust pred number_codes(?A, ?B) + cost(o, time, length(B)).
:- trust pred number_chars(?A, ?B) + cost(o, time, length(B)).
:- trust pred atom_number(?A, ?B) + cost(o, time, length(A)).
:- trust pred number_string(?A, ?B) + cost(o, time, length(B)).
:- trust pred upcase_atom(?A, ?B) + cost(o, time, length(A)).
:- trust pred downcase_atom(?A, ?B) + cost(o, time, length(A)).
:- trust pred term_to_atom(?A, ?B) + cost(o, time, size(A)+length(B)).
:- trust pred term_string(?A, ?B) + cost(o, time, size(A)+length(B)).
:- trust pred string_to_atom(?A, ?B) + cost(o, time, length(A)).
:- trust pred string_upper(?A, ?B) + cost(o, time, length(A)).
:- trust pred string_lower(?A, ?B) + cost(o, time, length(A)).
:- trust pred atom_string(?A, ?B) + cost(o, time, length(A)).
:- trust pred sformat(?A, ?B) + cost(o, time, inf).
:- trust pred string_chars(?A, ?B) + cost(o, time, length(B)).
:- trust pred string_codes(?A, ?B) + cost(o, time, length(B)).
:- trust pred split_string(?A, ?B, ?C, ?D) + cost(o, time, length(A)*(length(B)+length(C)+1)).
:- trust pred atomic_list_concat(?A, ?B) + cost(o, time, length(A)+length(B)).
:- trust pred atomic_list_concat(?A, ?B, ?C) + cost(o, time, length(A)+length(C)).
:- trust pred string_code(?A, ?B, ?C) + cost(o, time, 1).
:- trust pred char_type(?A, ?B) + cost(o, time, 1).
:- trust pred code_type(?A, ?B) + cost(o, time, 1).
:- trust pred atom_concat(?A, ?B, ?C) + cost(o, time, length(C)).
:- trust pred string_concat(?A, ?B, ?C) + cost(o, time, length(C)).
:- trust pred atom_to_term(?A, ?B, ?C) + cost(o, time, length(A)).
:- trust pred current_op(?A, ?B, ?C) + cost(o, time, inf).
:- trust pred nth_clause(?A, ?B, ?C) + cost(o, time, inf).
:- trust pred clause(?A, ?B) + cost(o, time, inf).
:- trust pred retract(?A) + cost(o, time, inf).
:- trust pred current_predicate(?A) + cost(o, time, inf).
:- trust pred current_atom(?A) + cost(o, time, inf).
:- trust pred current_flag(?A) + cost(o, time, inf).
:- trust pred predicate_property(?A, ?B) + cost(o, time, inf).
:- trust pred current_prolog_flag(?A, ?B) + cost(o, time, inf).
:- trust pred recorded(?A, ?B) + cost(o, time, inf).
:- trust pred recorded(?A, ?B, ?C) + cost(o, time, inf).
:- trust pred repeat + cost(o, time, 1).
:- trust pred sub_atom_icasechk(?A, ?B, ?C) + cost(o, time, length(A)*length(C)).
:- trust pred stream_property(?A, ?B) + cost(o, time, inf).
:- trust pred text_to_string(?A, ?B) + cost(o, time, length(A)).
:- trust pred normalize_space(?A, ?B) + cost(o, time, inf).
:- trust pred char_conversion(?A, ?B) + cost(o, time, 1).
:- trust pred collation_key(?A, ?B) + cost(o, time, length(A)).
:- trust pred term_string(?A, ?B, ?C) + cost(o, time, size(A)+length(B)).
:- trust pred read_term_from_atom(?A, ?B, ?C) + cost(o, time, length(A)).
:- trust pred sub_atom(+A, +B, +C, ?D, -E) + cost(o, time, length(E)).
:- trust pred sub_atom(?A, ?B, ?C, ?D, ?E) + cost(o, time, length(A)*length(E)).
:- trust pred sub_string(+A, +B, +C, ?D, -E) + cost(o, time, length(E)).
:- trust pred sub_string(?A, ?B, ?C, ?D, ?E) + cost(o, time, length(A)*length(E)).
:- trust pred atomics_to_string(?A, ?B) + cost(o, time, length(A)+length(B)).
:- trust pred atomics_to_string(?A, ?B, ?C) + cost(o, time, length(A)+length(C)).
% dicts.pl
:- trust pred is_dict(?A) + cost(o, time, size(A)).
:- trust pred is_dict(?A, ?B) + cost(o, time, size(A)).
:- trust pred get_dict(?A, ?B, ?C) + cost(o, time, size(B)).
:- trust pred get_dict(?A, ?B, ?C, ?D, ?E) + cost(o, time, size(B)).
:- trust pred put_dict(?A, ?B, ?C) + cost(o, time, size(A)+size(B)).
:- trust pred put_dict(?A, ?B, ?C, ?D) + cost(o, time, size(B)).
:- trust pred del_dict(?A, ?B, ?C, ?D) + cost(o, time, size(B)).
:- trust pred dict_pairs(?A, ?B, ?C) + cost(o, time, length(C)*log2(length(C))).
:- trust pred dict_create(?A, ?B, ?C) + cost(o, time, length(C)*log2(length(C))).
:- trust pred ':<'(?A, ?B) + cost(o, time, size(A)+size(B)).
:- trust pred '>:<'(?A, ?B) + cost(o, time, size(A)+size(B)).
:- trust pred b_set_dict(?A, ?B, ?C) + cost(o, time, size(B)).
:- trust pred nb_set_dict(?A, ?B, ?C) + cost(o, time, size(B)+size(C)).
% files.pl
:- trust pred file_base_name(?A, ?B) + cost(o, time, length(A)).
:- trust pred file_directory_name(?A, ?B) + cost(o, time, length(A)).
:- trust pred file_name_extension(?A, ?B, ?C) + cost(o, time, length(A)+length(C)).
:- trust pred size_file(?A, ?B) + cost(o, time, inf).
:- trust pred directory_files(?A, ?B) + cost(o, time, inf).
:- trust pred absolute_file_name(?A, ?B) + cost(o, time, inf).
:- trust pred absolute_file_name(?A, ?B, ?C) + cost(o, time, inf).
:- trust pred read_string(?A, ?B, ?C) + cost(o, time, inf).
:- trust pred read_string(?A, ?B, ?C, ?D, ?E) + cost(o, time, inf).
:- trust pred peek_string(?A, ?B, ?C) + cost(o, time, inf).
:- trust pred read_pending_codes(?A, ?B, ?C) + cost(o, time, inf).
:- trust pred set_stream(?A, ?B) + cost(o, time, 1).
:- trust pred seek(?A, ?B, ?C, ?D) + cost(o, time, inf).
:- trust pred copy_stream_data(?A, ?B) + cost(o, time, inf).
:- trust pred copy_stream_data(?A, ?B, ?C) + cost(o, time, inf).
:- trust pred prompt1(?A) + cost(o, time, 1).
% state.pl
:- trust pred assert(?A) + cost(o, time, size(A)).
:- trust pred asserta(?A) + cost(o, time, size(A)).
:- trust pred assertz(?A) + cost(o, time, size(A)).
:- trust pred retractall(?A) + cost(o, time, inf).
:- trust pred erase(?A) + cost(o, time, inf).
:- trust pred dynamic(?A) + cost(o, time, inf).
:- trust pred discontiguous(?A) + cost(o, time, inf).
:- trust pred style_check(?A) + cost(o, time, 1).
:- trust pred nb_setval(?A, ?B) + cost(o, time, size(B)).
:- trust pred b_setval(?A, ?B) + cost(o, time, 1).
:- trust pred set_prolog_flag(?A, ?B) + cost(o, time, 1).
:- trust pred op(?A, ?B, ?C) + cost(o, time, inf).
:- trust pred flag(?A, ?B, ?C) + cost(o, time, 1).
:- trust pred nb_getval(?A, ?B) + cost(o, time, 1).
:- trust pred b_getval(?A, ?B) + cost(o, time, 1).
:- trust pred statistics(?A, ?B) + cost(o, time, 1).
:- trust pred recorda(?A, ?B) + cost(o, time, size(B)).
:- trust pred recorda(?A, ?B, ?C) + cost(o, time, size(B)).
:- trust pred recordz(?A, ?B) + cost(o, time, size(B)).
:- trust pred recordz(?A, ?B, ?C) + cost(o, time, size(B)).
:- trust pred get_time(?A) + cost(o, time, 1).
:- trust pred cyclic_term(?A) + cost(o, time, size(A)).
:- trust pred acyclic_term(?A) + cost(o, time, size(A)).
:- trust pred exists_file(?A) + cost(o, time, inf).
:- trust pred exists_directory(?A) + cost(o, time, inf).
:- trust pred is_stream(?A) + cost(o, time, 1).
:- trust pred abolish(?A) + cost(o, time, inf).
:- trust pred abolish(?A, ?B) + cost(o, time, inf).
:- trust pred getenv(?A, ?B) + cost(o, time, inf).
:- trust pred setenv(?A, ?B) + cost(o, time, inf).
:- trust pred unsetenv(?A) + cost(o, time, inf).
:- trust pred tmp_file(?A, ?B) + cost(o, time, inf).
:- trust pred delete_file(?A) + cost(o, time, inf).
:- trust pred shell(?A) + cost(o, time, inf).
:- trust pred shell(?A, ?B) + cost(o, time, inf).
:- trust pred sleep(?A) + cost(o, time, inf).
:- trust pred prompt(?A, ?B) + cost(o, time, 1).
:- trust pred thread_self(?A) + cost(o, time, 1).
:- trust pred stamp_date_time(?A, ?B, ?C) + cost(o, time, 1).
:- trust pred format_time(?A, ?B, ?C) + cost(o, time, inf).
:- trust pred working_directory(?A, ?B) + cost(o, time, inf).
% streams.pl
:- trust pred nl + cost(o, time, 1).
:- trust pred ttyflush + cost(o, time, inf).
:- trust pred flush_output + cost(o, time, inf).
:- trust pred listing + cost(o, time, inf).
:- trust pred garbage_collect + cost(o, time, inf).
:- trust pred write(?A) + cost(o, time, size(A)).
:- trust pred print(?A) + cost(o, time, inf).
:- trust pred writeln(?A) + cost(o, time, size(A)).
:- trust pred write_canonical(?A) + cost(o, time, size(A)).
:- trust pred writeq(?A) + cost(o, time, size(A)).
:- trust pred display(?A) + cost(o, time, size(A)).
:- trust pred nl(?A) + cost(o, time, 1).
:- trust pred tab(?A) + cost(o, time, int(A)).
:- trust pred put_char(?A) + cost(o, time, 1).
:- trust pred format(?A) : written_format(A) + cost(o, time, length(A)).
:- trust pred format(?A) + cost(o, time, inf).
:- trust pred flush_output(?A) + cost(o, time, inf).
:- trust pred tell(?A) + cost(o, time, inf).
:- trust pred see(?A) + cost(o, time, inf).
:- trust pred close(?A) + cost(o, time, inf).
:- trust pred set_output(?A) + cost(o, time, 1).
:- trust pred set_input(?A) + cost(o, time, 1).
:- trust pred portray_clause(?A) + cost(o, time, inf).
:- trust pred listing(?A) + cost(o, time, inf).
:- trust pred write(?A, ?B) + cost(o, time, size(B)).
:- trust pred print(?A, ?B) + cost(o, time, inf).
:- trust pred writeln(?A, ?B) + cost(o, time, size(B)).
:- trust pred writeq(?A, ?B) + cost(o, time, size(B)).
:- trust pred format(?A, ?B) : written_format(A) + cost(o, time, length(A)+8*size(B)).
:- trust pred format(?A, ?B) + cost(o, time, inf).
:- trust pred write_term(?A, ?B) + cost(o, time, inf).
:- trust pred put_char(?A, ?B) + cost(o, time, 1).
:- trust pred tab(?A, ?B) + cost(o, time, int(B)).
:- trust pred write_canonical(?A, ?B) + cost(o, time, size(B)).
:- trust pred portray_clause(?A, ?B) + cost(o, time, inf).
:- trust pred print_message(?A, ?B) + cost(o, time, inf).
:- trust pred close(?A, ?B) + cost(o, time, inf).
:- trust pred format(?A, ?B, ?C) : written_format(B) + cost(o, time, length(B)+8*size(C)).
:- trust pred format(?A, ?B, ?C) + cost(o, time, inf).
:- trust pred write_term(?A, ?B, ?C) + cost(o, time, inf).
:- trust pred debug(?A, ?B, ?C) + cost(o, time, inf).
:- trust pred print_message_lines(?A, ?B, ?C) + cost(o, time, inf).
:- trust pred put_byte(?A) + cost(o, time, 1).
:- trust pred put_byte(?A, ?B) + cost(o, time, 1).
:- trust pred told + cost(o, time, inf).
:- trust pred seen + cost(o, time, inf).
:- trust pred get_char(?A) + cost(o, time, 1).
:- trust pred peek_char(?A) + cost(o, time, 1).
:- trust pred get_char(?A, ?B) + cost(o, time, 1).
:- trust pred peek_char(?A, ?B) + cost(o, time, 1).
:- trust pred get_code(?A) + cost(o, time, 1).
:- trust pred peek_code(?A) + cost(o, time, 1).
:- trust pred get_byte(?A) + cost(o, time, 1).
:- trust pred peek_byte(?A) + cost(o, time, 1).
:- trust pred get0(?A) + cost(o, time, 1).
:- trust pred get_code(?A, ?B) + cost(o, time, 1).
:- trust pred peek_code(?A, ?B) + cost(o, time, 1).
:- trust pred get_byte(?A, ?B) + cost(o, time, 1).
:- trust pred peek_byte(?A, ?B) + cost(o, time, 1).
:- trust pred read(?A) + cost(o, time, inf).
:- trust pred read(?A, ?B) + cost(o, time, inf).
:- trust pred read_term(?A, ?B) + cost(o, time, inf).
:- trust pred read_term(?A, ?B, ?C) + cost(o, time, inf).
:- trust pred open(?A, ?B, ?C) + cost(o, time, inf).
:- trust pred open(?A, ?B, ?C, ?D) + cost(o, time, inf).
:- trust pred at_end_of_stream + cost(o, time, 1).
:- trust pred at_end_of_stream(?A) + cost(o, time, 1).
:- trust pred current_input(?A) + cost(o, time, 1).
:- trust pred current_output(?A) + cost(o, time, 1).
% Built-ins that inference has its own rules for. Arithmetic is counted function by function.
:- trust pred '='(?A, ?B) + cost(o, time, min(size(A), size(B))).
:- trust pred '\\='(?A, ?B) + cost(o, time, min(size(A), size(B))).
:- trust pred '=='(?A, ?B) + cost(o, time, min(size(A), size(B))).
:- trust pred '\\=='(?A, ?B) + cost(o, time, min(size(A), size(B))).
:- trust pred '@<'(?A, ?B) + cost(o, time, min(size(A), size(B))).
:- trust pred '@>'(?A, ?B) + cost(o, time, min(size(A), size(B))).
:- trust pred '@=<'(?A, ?B) + cost(o, time, min(size(A), size(B))).
:- trust pred '@>='(?A, ?B) + cost(o, time, min(size(A), size(B))).
:- trust pred length(?A, ?B) + cost(o, time, length(A)).
:- trust pred is_list(?A) + cost(o, time, length(A)).
:- trust pred ground(?A) + cost(o, time, size(A)).
:- trust pred findall(?A, ?B, ?C) + cost(o, time, size(C)).
:- trust pred findall(?A, ?B, ?C, ?D) + cost(o, time, size(C)).
% Other built-ins of state.pl, text.pl, terms.pl and streams.pl
:- trust pred assert(?A, ?B) + cost(o, time, size(A)).
:- trust pred asserta(?A, ?B) + cost(o, time, size(A)).
:- trust pred assertz(?A, ?B) + cost(o, time, size(A)).
:- trust pred copy_term_nat(?A, ?B) + cost(o, time, size(A)).
:- trust pred term_attvars(?A, ?B) + cost(o, time, size(A)).
:- trust pred term_singletons(?A, ?B) + cost(o, time, size(A)).
:- trust pred is_most_general_term(?A) + cost(o, time, size(A)).
:- trust pred nonground(?A, ?B) + cost(o, time, size(A)).
:- trust pred name(+A, ?B) + cost(o, time, size(A)).
:- trust pred name(-A, +B) + cost(o, time, length(B)).
:- trust pred get_flag(?A, ?B) + cost(o, time, 1).
:- trust pred set_flag(?A, ?B) + cost(o, time, 1).
:- trust pred tracing + cost(o, time, 1).
:- trust pred notrace + cost(o, time, 1).
:- trust pred is_thread(?A) + cost(o, time, 1).
:- trust pred is_engine(?A) + cost(o, time, 1).
:- trust pred is_trie(?A) + cost(o, time, 1).
:- trust pred source_location(?A, ?B) + cost(o, time, 1).
:- trust pred date_time_stamp(?A, ?B) + cost(o, time, 1).
:- trust pred get_string_code(?A, ?B, ?C) + cost(o, time, 1).
:- trust pred divmod(?A, ?B, ?C, ?D) + cost(o, time, 1).
:- trust pred same_term(?A, ?B) + cost(o, time, 1).
:- trust pred attvar(?A) + cost(o, time, 1).
:- trust pred var_number(?A, ?B) + cost(o, time, 1).
:- trust pred float_class(?A, ?B) + cost(o, time, 1).
:- trust pred float_parts(?A, ?B, ?C, ?D) + cost(o, time, 1).
:- trust pred bounded_number(?A, ?B, ?C) + cost(o, time, 1).
:- trust pred line_count(?A, ?B) + cost(o, time, 1).
:- trust pred line_position(?A, ?B) + cost(o, time, 1).
:- trust pred character_count(?A, ?B) + cost(o, time, 1).
:- trust pred byte_count(?A, ?B) + cost(o, time, 1).
:- trust pred nth_integer_root_and_remainder(?A, ?B, ?C, ?D) + cost(o, time, int(A)).
:- trust pred functor(?A, ?B, ?C, ?D) + cost(o, time, int(C)).
:- trust pred is_absolute_file_name(?A) + cost(o, time, length(A)).
:- trust pred wildcard_match(?A, ?B) + cost(o, time, inf).
:- trust pred garbage_collect_atoms + cost(o, time, inf).
:- trust pred trim_stacks + cost(o, time, inf).
% Threads, tries, attributes, files and the system.
:- trust pred select_dict(?A, ?B, ?C) + cost(o, time, inf).
:- trust pred access_file(?A, ?B) + cost(o, time, inf).
:- trust pred same_file(?A, ?B) + cost(o, time, inf).
:- trust pred time_file(?A, ?B) + cost(o, time, inf).
:- trust pred make_directory(?A) + cost(o, time, inf).
:- trust pred delete_directory(?A) + cost(o, time, inf).
:- trust pred rename_file(?A, ?B) + cost(o, time, inf).
:- trust pred read_link(?A, ?B, ?C) + cost(o, time, inf).
:- trust pred expand_file_name(?A, ?B) + cost(o, time, inf).
:- trust pred prolog_to_os_filename(?A, ?B) + cost(o, time, length(A)).
:- trust pred tmp_file_stream(?A, ?B, ?C) + cost(o, time, inf).
:- trust pred format_time(?A, ?B, ?C, ?D) + cost(o, time, 1).
:- trust pred nb_current(?A, ?B) + cost(o, time, 1).
:- trust pred nb_linkval(?A, ?B) + cost(o, time, 1).
:- trust pred nb_delete(?A) + cost(o, time, 1).
:- trust pred prolog_load_context(?A, ?B) + cost(o, time, inf).
:- trust pred context_module(?A) + cost(o, time, 1).
:- trust pred current_module(?A) + cost(o, time, 1).
:- trust pred module_property(?A, ?B) + cost(o, time, inf).
:- trust pred source_file(?A) + cost(o, time, 1).
:- trust pred source_file(?A, ?B) + cost(o, time, 1).
:- trust pred source_file_property(?A, ?B) + cost(o, time, inf).
:- trust pred clause_property(?A, ?B) + cost(o, time, inf).
:- trust pred current_predicate(?A, ?B) + cost(o, time, inf).
:- trust pred instance(?A, ?B) + cost(o, time, inf).
:- trust pred prolog_current_frame(?A) + cost(o, time, 1).
:- trust pred prolog_current_choice(?A) + cost(o, time, 1).
:- trust pred thread_local(?A) + cost(o, time, inf).
:- trust pred volatile(?A) + cost(o, time, inf).
:- trust pred garbage_collect_clauses + cost(o, time, inf).
:- trust pred thread_send_message(?A, ?B) + cost(o, time, inf).
:- trust pred thread_send_message(?A, ?B, ?C) + cost(o, time, inf).
:- trust pred thread_get_message(?A) + cost(o, time, inf).
:- trust pred thread_get_message(?A, ?B) + cost(o, time, inf).
:- trust pred thread_get_message(?A, ?B, ?C) + cost(o, time, inf).
:- trust pred thread_peek_message(?A) + cost(o, time, inf).
:- trust pred thread_peek_message(?A, ?B) + cost(o, time, inf).
:- trust pred thread_join(?A) + cost(o, time, inf).
:- trust pred thread_join(?A, ?B) + cost(o, time, inf).
:- trust pred thread_detach(?A) + cost(o, time, 1).
:- trust pred thread_exit(?A) + cost(o, time, 1).
:- trust pred thread_property(?A, ?B) + cost(o, time, 1).
:- trust pred thread_statistics(?A, ?B, ?C) + cost(o, time, 1).
:- trust pred message_queue_create(?A) + cost(o, time, 1).
:- trust pred message_queue_create(?A, ?B) + cost(o, time, 1).
:- trust pred message_queue_destroy(?A) + cost(o, time, 1).
:- trust pred mutex_create(?A) + cost(o, time, 1).
:- trust pred mutex_create(?A, ?B) + cost(o, time, 1).
:- trust pred mutex_destroy(?A) + cost(o, time, 1).
:- trust pred mutex_lock(?A) + cost(o, time, inf).
:- trust pred mutex_trylock(?A) + cost(o, time, 1).
:- trust pred mutex_unlock(?A) + cost(o, time, 1).
:- trust pred trie_new(?A) + cost(o, time, 1).
:- trust pred trie_destroy(?A) + cost(o, time, inf).
:- trust pred trie_insert(?A, ?B) + cost(o, time, size(B)).
:- trust pred trie_insert(?A, ?B, ?C) + cost(o, time, size(B)).
:- trust pred trie_update(?A, ?B, ?C) + cost(o, time, size(B)).
:- trust pred trie_lookup(?A, ?B, ?C) + cost(o, time, size(B)).
:- trust pred trie_delete(?A, ?B, ?C) + cost(o, time, size(B)).
:- trust pred trie_gen(?A, ?B) + cost(o, time, 1).
:- trust pred trie_gen(?A, ?B, ?C) + cost(o, time, 1).
:- trust pred put(?A) + cost(o, time, 1).
:- trust pred put(?A, ?B) + cost(o, time, 1).
:- trust pred put_code(?A) + cost(o, time, 1).
:- trust pred put_code(?A, ?B) + cost(o, time, 1).
:- trust pred get(?A) + cost(o, time, inf).
:- trust pred get(?A, ?B) + cost(o, time, inf).
:- trust pred get0(?A, ?B) + cost(o, time, inf).
:- trust pred skip(?A) + cost(o, time, inf).
:- trust pred skip(?A, ?B) + cost(o, time, inf).
:- trust pred get_single_char(?A) + cost(o, time, inf).
:- trust pred open_null_stream(?A) + cost(o, time, 1).
:- trust pred open_string(?A, ?B) + cost(o, time, length(A)).
:- trust pred set_stream_position(?A, ?B) + cost(o, time, 1).
:- trust pred stream_position_data(?A, ?B, ?C) + cost(o, time, 1).
:- trust pred stream_pair(?A, ?B, ?C) + cost(o, time, 1).
:- trust pred write_length(?A, ?B, ?C) + cost(o, time, inf).
:- trust pred message_to_string(?A, ?B) + cost(o, time, inf).
:- trust pred tty_size(?A, ?B) + cost(o, time, 1).
:- trust pred tty_goto(?A, ?B) + cost(o, time, 1).
:- trust pred append(?A) + cost(o, time, inf).
:- trust pred seeing(?A) + cost(o, time, 1).
:- trust pred telling(?A) + cost(o, time, 1).
:- trust pred get_attr(?A, ?B, ?C) + cost(o, time, 1).
:- trust pred get_attrs(?A, ?B) + cost(o, time, 1).
:- trust pred del_attr(?A, ?B) + cost(o, time, 1).
:- trust pred del_attrs(?A) + cost(o, time, 1).
:- trust pred frozen(?A, ?B) + cost(o, time, size(A)).
:- trust pred blob(?A, ?B) + cost(o, time, 1).
:- trust pred rational(?A, ?B, ?C) + cost(o, time, 1).
:- trust pred numbervars(?A, ?B, ?C, ?D) + cost(o, time, size(A)).
:- trust pred copy_term(?A, ?B, ?C, ?D) + cost(o, time, size(B)).
:- trust pred copy_term_nat(?A, ?B, ?C, ?D) + cost(o, time, size(B)).
:- trust pred term_hash(?A, ?B, ?C, ?D) + cost(o, time, size(A)).
:- trust pred size_abstract_term(?A, ?B, ?C) + cost(o, time, int(A)).
:- trust pred current_arithmetic_function(?A) + cost(o, time, 1).
:- trust pred wildcard_match(?A, ?B, ?C) + cost(o, time, inf).
:- trust pred atomic_concat(?A, ?B, ?C) + cost(o, time, length(A)+length(B)).
:- trust pred atom_prefix(?A, ?B) + cost(o, time, length(B)).
:- trust pred string_bytes(?A, ?B, ?C) + cost(o, time, inf).
:- trust pred '.'(?A, ?B, ?C) + cost(o, time, inf).
