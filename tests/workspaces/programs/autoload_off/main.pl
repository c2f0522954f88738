:- set_prolog_flag(autoload, false).
r(_) :- last([a, b], _).
