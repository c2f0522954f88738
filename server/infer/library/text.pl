% Atoms, strings, characters and codes.
%
% Without knowing which arguments are bound these may fail. Text may be given as an atom, a string, a number or a list, so the type of an
% argument on success is only stated if the argument is unbound at the call.

:- trust_default + cost(exact, allsols, steps, 0).

:- trust pred atom_length(?A, -B:int).
:- trust pred atom_length(+A:ground, -B:nat) + det.
:- trust pred atom_length(+A:atom_or_string, -B:nat) + (det, no_exception, size(B, chars(A))).
:- trust pred atom_length(?A, ?B) + is_det.
:- trust pred string_length(?A, -B:int).
:- trust pred string_length(+A:ground, -B:nat) + det.
:- trust pred string_length(+A:atom_or_string, -B:nat) + (det, no_exception, size(B, chars(A))).
:- trust pred string_length(?A, ?B) + is_det.
:- trust pred atom_codes(?A, -B:list(int)).
:- trust pred atom_codes(+A:ground, -B:list(int)) + det.
:- trust pred atom_codes(+A:num, -B:list(int)) + (det, no_exception, size_lb(B, 1)).
:- trust pred atom_codes(+A:atom_or_string, -B:list(int)) + (det, no_exception, size(B, chars(A))).
:- trust pred atom_codes(-A:atm, +B:list(int)) + (det, size(A, length(B))).
:- trust pred atom_codes(?A, ?B) + is_det.
:- trust pred atom_chars(?A, -B:list(atm)).
:- trust pred atom_chars(+A:ground, -B:list(atm)) + det.
:- trust pred atom_chars(+A:num, -B:list(atm)) + (det, no_exception, size_lb(B, 1)).
:- trust pred atom_chars(+A:atom_or_string, -B:list(atm)) + (det, no_exception, size(B, chars(A))).
:- trust pred atom_chars(-A:atm, +B:list(atm)) + (det, size(A, length(B))).
:- trust pred atom_chars(?A, ?B) + is_det.
:- trust pred char_code(-A:atm, ?B).
:- trust pred char_code(?A, -B:int).
:- trust pred char_code(+A:atm, -B:nat) + det.
:- trust pred char_code(-A:atm, +B:int) + det.
:- trust pred char_code(?A, ?B) + is_det.
:- trust pred number_codes(-A:num, ?B).
:- trust pred number_codes(?A, -B:list(int)).
:- trust pred number_codes(+A:num, -B:list(int)) + (det, no_exception, size_lb(B, 1)).
:- trust pred number_codes(-A:num, +B:ground) + det.
:- trust pred number_codes(?A, ?B) + is_det.
:- trust pred number_chars(-A:num, ?B).
:- trust pred number_chars(?A, -B:list(atm)).
:- trust pred number_chars(+A:num, -B:list(atm)) + (det, no_exception, size_lb(B, 1)).
:- trust pred number_chars(?A, ?B) + is_det.
:- trust pred atom_number(-A:ground, ?B).
:- trust pred atom_number(?A, -B:num).
:- trust pred atom_number(+A:atm, -B:num) + (is_det, no_exception).
:- trust pred atom_number(?A, ?B) + is_det.
:- trust pred number_string(-A:num, ?B).
:- trust pred number_string(?A, -B:ground).
:- trust pred number_string(-A:num, +B:ground) + is_det.
:- trust pred number_string(?A, ?B) + is_det.
:- trust pred upcase_atom(+A:ground, -B:atm) + det.
:- trust pred upcase_atom(+A:atom_or_string, -B:atm) + (det, no_exception, size(B, chars(A))).
:- trust pred upcase_atom(?A, -B:atm).
:- trust pred upcase_atom(?A, ?B) + is_det.
:- trust pred downcase_atom(+A:ground, -B:atm) + det.
:- trust pred downcase_atom(+A:atom_or_string, -B:atm) + (det, no_exception, size(B, chars(A))).
:- trust pred downcase_atom(?A, -B:atm).
:- trust pred downcase_atom(?A, ?B) + is_det.
:- trust pred term_to_atom(+A:nonvar, -B:atm) + det.
:- trust pred term_to_atom(?A, -B:atm).
:- trust pred term_to_atom(?A, ?B) + is_det.
:- trust pred term_string(+A:nonvar, -B:string) + det.
:- trust pred term_string(?A, -B:ground).
:- trust pred term_string(?A, ?B) + is_det.
:- trust pred string_to_atom(+A:ground, -B:atm) + det.
:- trust pred string_to_atom(+A:atom_or_string, -B:atm) + (det, no_exception, size(B, chars(A))).
:- trust pred string_to_atom(?A, -B:atm).
:- trust pred string_to_atom(?A, ?B) + is_det.
:- trust pred string_upper(+A:ground, -B:string) + det.
:- trust pred string_upper(+A:atom_or_string, -B:string) + (det, no_exception, size(B, chars(A))).
:- trust pred string_upper(?A, -B:ground).
:- trust pred string_upper(?A, ?B) + is_det.
:- trust pred string_lower(+A:ground, -B:string) + det.
:- trust pred string_lower(+A:atom_or_string, -B:string) + (det, no_exception, size(B, chars(A))).
:- trust pred string_lower(?A, -B:ground).
:- trust pred string_lower(?A, ?B) + is_det.
:- trust pred atom_string(+A:ground, -B:string) + det.
:- trust pred atom_string(+A:atom_or_string, -B:string) + (det, no_exception, size(B, chars(A))).
:- trust pred atom_string(?A, -B:ground).
:- trust pred atom_string(-A:atm, +B:ground) + det.
:- trust pred atom_string(-A:atm, +B:atom_or_string) + (det, no_exception, size(A, chars(B))).
:- trust pred atom_string(?A, ?B) + is_det.
:- trust pred sformat(?A, ?B) + is_det.
:- trust pred string_chars(?A, -B:list(atm)).
:- trust pred string_chars(+A:ground, -B:list(atm)) + det.
:- trust pred string_chars(+A:num, -B:list(atm)) + (det, no_exception, size_lb(B, 1)).
:- trust pred string_chars(+A:atom_or_string, -B:list(atm)) + (det, no_exception, size(B, chars(A))).
:- trust pred string_chars(-A:string, +B:list(atm)) + (det, size(A, length(B))).
:- trust pred string_chars(?A, ?B) + is_det.
:- trust pred string_codes(?A, -B:list(int)).
:- trust pred string_codes(+A:ground, -B:list(int)) + det.
:- trust pred string_codes(+A:num, -B:list(int)) + (det, no_exception, size_lb(B, 1)).
:- trust pred string_codes(+A:atom_or_string, -B:list(int)) + (det, no_exception, size(B, chars(A))).
:- trust pred string_codes(-A:string, +B:list(int)) + (det, size(A, length(B))).
:- trust pred string_codes(?A, ?B) + is_det.
:- trust pred split_string(?A, ?B, ?C, -D:list(string)).
:- trust pred split_string(+A:ground, +B:ground, +C:ground, -D:list(string)) + (det, size_lb(D, 1)).
:- trust pred split_string(?A, ?B, ?C, ?D) + is_det.
:- trust pred atomic_list_concat(+A:list(ground), -B:atm) + det.
:- trust pred atomic_list_concat(?A, -B:atm).
:- trust pred atomic_list_concat(?A, ?B) + is_det.
:- trust pred atomic_list_concat(+A:list(ground), +B:ground, -C:atm) + det.
:- trust pred atomic_list_concat(?A, ?B, -C:atm).
:- trust pred atomic_list_concat(?A, ?B, ?C) + is_det.
:- trust pred string_code(?A, ?B, -C:int).
:- trust pred string_code(+A:int, +B:ground, -C:nat) + is_det.
:- trust pred string_code(?A, ?B, ?C).
:- trust pred char_type(+A:ground, +B:ground) + is_det.
:- trust pred char_type(?A, ?B).
:- trust pred code_type(+A:ground, +B:ground) + is_det.
:- trust pred code_type(?A, ?B).
:- trust pred atom_concat(+A:ground, +B:ground, -C:atm) + det.
:- trust pred atom_concat(+A:atom_or_string, +B:atom_or_string, -C:atm) + (det, no_exception, size(C, chars(A)+chars(B))).
:- trust pred atom_concat(+A:ground, +B:ground, ?C) + is_det.
:- trust pred atom_concat(-A:atm, -B:atm, +C:ground).
:- trust pred atom_concat(?A, ?B, ?C).
:- trust pred string_concat(+A:ground, +B:ground, -C:string) + det.
:- trust pred string_concat(+A:atom_or_string, +B:atom_or_string, -C:string) + (det, no_exception, size(C, chars(A)+chars(B))).
:- trust pred string_concat(+A:ground, +B:ground, ?C) + is_det.
:- trust pred string_concat(-A:ground, -B:ground, +C:ground).
:- trust pred string_concat(?A, ?B, ?C).
:- trust pred atom_to_term(?A, ?B, ?C).
:- trust pred current_op(?A, ?B, ?C).
:- trust pred nth_clause(?A, ?B, ?C).
:- trust pred clause(?A, ?B).
:- trust pred retract(?A).
:- trust pred current_predicate(?A).
:- trust pred current_atom(?A).
:- trust pred current_flag(?A).
:- trust pred predicate_property(?A, ?B).
:- trust pred current_prolog_flag(?A, ?B).
:- trust pred recorded(?A, ?B).
:- trust pred recorded(?A, ?B, ?C).
:- trust pred repeat + (multi, no_exception).
:- trust pred sub_atom_icasechk(?A, ?B, ?C).
:- trust pred stream_property(?A, ?B).
:- trust pred text_to_string(+A:ground, -B:string) + det.
:- trust pred text_to_string(+A:atom_or_string, -B:string) + (det, no_exception, size(B, chars(A))).
:- trust pred text_to_string(?A, ?B) + is_det.
:- trust pred normalize_space(?A, ?B) + is_det.
:- trust pred char_conversion(?A, ?B) + det.
:- trust pred collation_key(+A:ground, -B:ground) + det.
:- trust pred collation_key(?A, ?B) + is_det.
:- trust pred term_string(?A, ?B, ?C) + is_det.
:- trust pred read_term_from_atom(?A, ?B, ?C) + is_det.
:- trust pred sub_atom(?A, -B:nat, -C:nat, -D:nat, ?E).
:- trust pred sub_atom(?A, +B:int, -C:nat, -D:nat, ?E).
:- trust pred sub_atom(?A, +B:int, +C:int, -D:nat, ?E).
:- trust pred sub_atom(?A, -B:nat, +C:int, -D:nat, ?E).
:- trust pred sub_atom(?A, -B:nat, +C:int, +D:int, ?E).
:- trust pred sub_atom(?A, -B:nat, -C:nat, +D:int, ?E).
:- trust pred sub_atom(?A, +B:int, -C:nat, +D:int, ?E).
:- trust pred sub_atom(?A, ?B, ?C, ?D, -E:atm).
:- trust pred sub_atom(+A:ground, +B:int, +C:int, ?D, ?E) + is_det.
:- trust pred sub_atom(?A, ?B, ?C, ?D, ?E).
:- trust pred sub_string(?A, -B:nat, -C:nat, -D:nat, ?E).
:- trust pred sub_string(?A, +B:int, -C:nat, -D:nat, ?E).
:- trust pred sub_string(?A, +B:int, +C:int, -D:nat, ?E).
:- trust pred sub_string(?A, -B:nat, +C:int, -D:nat, ?E).
:- trust pred sub_string(?A, -B:nat, +C:int, +D:int, ?E).
:- trust pred sub_string(?A, -B:nat, -C:nat, +D:int, ?E).
:- trust pred sub_string(?A, +B:int, -C:nat, +D:int, ?E).
:- trust pred sub_string(?A, ?B, ?C, ?D, -E:ground).
:- trust pred sub_string(+A:ground, +B:int, +C:int, ?D, ?E) + is_det.
:- trust pred sub_string(?A, ?B, ?C, ?D, ?E).
:- trust pred atomics_to_string(+A:list(atm), -B:ground) + (det, no_exception).
:- trust pred atomics_to_string(?A, -B:ground).
:- trust pred atomics_to_string(?A, ?B).
:- trust pred atomics_to_string(+A:list(atm), +B:atm, -C:ground) + (det, no_exception).
:- trust pred atomics_to_string(?A, ?B, ?C).
:- trust pred name(-A:ground, ?B).
:- trust pred name(?A, -B:list(int)).
:- trust pred name(+A:ground, -B:list(int)) + is_det.
:- trust pred name(-A:ground, +B:ground) + is_det.
:- trust pred name(?A, ?B) + is_det.
:- trust pred get_string_code(?A, ?B, -C:int) + is_det.
:- trust pred get_string_code(?A, ?B, ?C) + is_det.
:- trust pred wildcard_match(?A, ?B) + is_det.
:- trust pred is_absolute_file_name(?A) + is_det.
:- trust pred wildcard_match(?A, ?B, ?C) + is_det.
:- trust pred atomic_concat(?A, ?B, -C:atm) + is_det.
:- trust pred atomic_concat(?A, ?B, ?C) + is_det.
:- trust pred atom_prefix(?A, +B:ground) + is_det.
:- trust pred atom_prefix(?A, ?B).
:- trust pred string_bytes(?A, ?B, ?C) + is_det.
