% library(readutil): lines are read in C, except by read_line_to_string/2. The length of a file or stream is not a size of an argument.

:- trust pred read_line_to_string(?A, ?B) + (is_det, cost(exact, allsols, steps, 1)).
:- trust pred read_line_to_codes(?A, ?B) + (is_det, cost(exact, allsols, steps, 0)).
:- trust pred read_line_to_codes(?A, ?B, ?C) + (is_det, cost(exact, allsols, steps, 0)).
:- trust pred read_stream_to_codes(?A, -B:list(int)) + (det, cost(exact, allsols, steps, 0)).
:- trust pred read_stream_to_codes(?A, ?B) + (is_det, cost(exact, allsols, steps, 0)).
:- trust pred read_stream_to_codes(?A, ?B, ?C) + (is_det, cost(exact, allsols, steps, 0)).
:- trust pred read_file_to_string(?A, ?B, ?C) + (is_det, cost(ub, allsols, steps, 1)).
:- trust pred read_file_to_codes(?A, ?B, ?C) + (is_det, cost(ub, allsols, steps, 5), cost(lb, steps, 4)).
:- trust pred read_file_to_terms(?A, ?B, ?C) + (is_det, cost(lb, steps, 4)).
