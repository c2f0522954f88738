% SWI-Prolog: warnings are of no use to anybody here. The clock has steps below a microsecond.
:- style_check(-singleton).
:- style_check(-discontiguous).

cl_clock(Seconds) :- statistics(process_cputime, Seconds).
