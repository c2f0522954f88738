:- use_module(m3).
:- add_import_module(m3, m2, end).
:- use_module(m2).
r(_) :- t(_).
