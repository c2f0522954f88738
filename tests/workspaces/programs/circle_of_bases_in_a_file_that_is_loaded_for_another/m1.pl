:- module(m1, []).
:- add_import_module(m3, m4, end).
p(_) :- ignore(true).
