:- module(settings, [as_codes/0]).
as_codes :- set_prolog_flag(double_quotes, codes).
