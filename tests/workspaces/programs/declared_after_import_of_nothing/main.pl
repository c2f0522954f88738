% m1.pl imports p/1 from a module that does not define it, so SWI-Prolog rejects the declaration: a call raises an existence error.
:- ensure_loaded(m1).
:- dynamic p/1.
t_main(_) :- ignore(true), p(_).
