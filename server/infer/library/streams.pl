% Reading and writing. Only the type of the input is known.

:- trust_default + cost(exact, allsols, steps, 0).

:- trust pred nl + (det, no_exception).
:- trust pred ttyflush + (det, no_exception).
:- trust pred flush_output + (det, no_exception).
:- trust pred listing + (det, no_exception).
:- trust pred garbage_collect + (det, no_exception).
:- trust pred write(?A) + (det, no_exception).
:- trust pred print(?A) + (det, no_exception).
:- trust pred writeln(?A) + (det, no_exception).
:- trust pred write_canonical(?A) + (det, no_exception).
:- trust pred writeq(?A) + (det, no_exception).
:- trust pred display(?A) + (det, no_exception).
:- trust pred nl(?A) + det.
:- trust pred tab(?A) + det.
:- trust pred put_char(?A) + det.
:- trust pred format(?A) + det.
:- trust pred flush_output(?A) + det.
:- trust pred tell(?A) + det.
:- trust pred see(?A) + det.
:- trust pred close(?A) + det.
:- trust pred set_output(?A) + det.
:- trust pred set_input(?A) + det.
:- trust pred portray_clause(?A) + det.
:- trust pred listing(?A) + det.
:- trust pred write(?A, ?B) + det.
:- trust pred print(?A, ?B) + det.
:- trust pred writeln(?A, ?B) + det.
:- trust pred writeq(?A, ?B) + det.
:- trust pred format(?A, ?B) + det.
:- trust pred write_term(?A, ?B) + det.
:- trust pred put_char(?A, ?B) + det.
:- trust pred tab(?A, ?B) + det.
:- trust pred write_canonical(?A, ?B) + det.
:- trust pred portray_clause(?A, ?B) + det.
:- trust pred print_message(?A, ?B) + det.
:- trust pred close(?A, ?B) + det.
:- trust pred format(+A:atm, ?B, ?C) + det.
:- trust pred format(?A, ?B, ?C) + is_det.
:- trust pred write_term(?A, ?B, ?C) + det.
:- trust pred debug(?A, ?B, ?C) + det.
:- trust pred print_message_lines(?A, ?B, ?C) + det.
:- trust pred put_byte(?A) + det.
:- trust pred put_byte(?A, ?B) + det.
:- trust pred told + det.
:- trust pred seen + det.
:- trust pred get_char(-A:atm) + det.
:- trust pred get_char(?A) + is_det.
:- trust pred peek_char(-A:atm) + det.
:- trust pred peek_char(?A) + is_det.
:- trust pred get_char(?A, -B:atm) + det.
:- trust pred get_char(?A, ?B) + is_det.
:- trust pred peek_char(?A, -B:atm) + det.
:- trust pred peek_char(?A, ?B) + is_det.
:- trust pred get_code(-A:int) + det.
:- trust pred get_code(?A) + is_det.
:- trust pred peek_code(-A:int) + det.
:- trust pred peek_code(?A) + is_det.
:- trust pred get_byte(-A:int) + det.
:- trust pred get_byte(?A) + is_det.
:- trust pred peek_byte(-A:int) + det.
:- trust pred peek_byte(?A) + is_det.
:- trust pred get0(-A:int).
:- trust pred get0(?A) + is_det.
:- trust pred get_code(?A, -B:int) + det.
:- trust pred get_code(?A, ?B) + is_det.
:- trust pred peek_code(?A, -B:int) + det.
:- trust pred peek_code(?A, ?B) + is_det.
:- trust pred get_byte(?A, -B:int) + det.
:- trust pred get_byte(?A, ?B) + is_det.
:- trust pred peek_byte(?A, -B:int) + det.
:- trust pred peek_byte(?A, ?B) + is_det.
:- trust pred read(-A) + det.
:- trust pred read(?A) + is_det.
:- trust pred read(?A, -B) + det.
:- trust pred read(?A, ?B) + is_det.
:- trust pred read_term(-A, ?B) + is_det.
:- trust pred read_term(?A, ?B) + is_det.
:- trust pred read_term(?A, ?B, ?C) + is_det.
:- trust pred open(?A, ?B, -C:nonvar) + det.
:- trust pred open(?A, ?B, ?C) + is_det.
:- trust pred open(?A, ?B, -C:nonvar, ?D) + det.
:- trust pred open(?A, ?B, ?C, ?D) + is_det.
:- trust pred at_end_of_stream + is_det.
:- trust pred at_end_of_stream(?A) + is_det.
:- trust pred current_input(-A:nonvar) + (det, no_exception).
:- trust pred current_input(?A) + is_det.
:- trust pred current_output(-A:nonvar) + (det, no_exception).
:- trust pred current_output(?A) + is_det.
:- trust pred line_count(?A, -B:int) + is_det.
:- trust pred line_count(?A, ?B) + is_det.
:- trust pred line_position(?A, -B:int) + is_det.
:- trust pred line_position(?A, ?B) + is_det.
:- trust pred character_count(?A, -B:int) + is_det.
:- trust pred character_count(?A, ?B) + is_det.
:- trust pred byte_count(?A, -B:int) + is_det.
:- trust pred byte_count(?A, ?B) + is_det.
:- trust pred put(?A) + det.
:- trust pred put(?A, ?B) + det.
:- trust pred put_code(?A) + det.
:- trust pred put_code(?A, ?B) + det.
:- trust pred get(-A:int) + is_det.
:- trust pred get(?A) + is_det.
:- trust pred get(?A, -B:int) + is_det.
:- trust pred get(?A, ?B) + is_det.
:- trust pred get0(?A, -B:int) + is_det.
:- trust pred get0(?A, ?B) + is_det.
:- trust pred skip(?A) + is_det.
:- trust pred skip(?A, ?B) + is_det.
:- trust pred get_single_char(-A:int) + det.
:- trust pred get_single_char(?A) + is_det.
:- trust pred open_null_stream(-A:nonvar) + det.
:- trust pred open_null_stream(?A) + is_det.
:- trust pred open_string(?A, -B:nonvar) + det.
:- trust pred open_string(?A, ?B) + is_det.
:- trust pred set_stream_position(?A, ?B) + det.
:- trust pred stream_position_data(+A:atm, ?B, ?C) + is_det.
:- trust pred stream_position_data(?A, ?B, ?C).
:- trust pred stream_pair(?A, ?B, ?C) + is_det.
:- trust pred write_length(?A, -B:nat, ?C) + is_det.
:- trust pred write_length(?A, ?B, ?C) + is_det.
:- trust pred message_to_string(?A, -B:string) + is_det.
:- trust pred message_to_string(?A, ?B) + is_det.
:- trust pred tty_size(-A:int, -B:int) + is_det.
:- trust pred tty_size(?A, ?B) + is_det.
:- trust pred tty_goto(?A, ?B) + is_det.
:- trust pred append(?A) + det.
:- trust pred seeing(?A) + is_det.
:- trust pred telling(?A) + is_det.
