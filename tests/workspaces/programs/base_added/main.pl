:- use_module(m1).
:- use_module(m3, []).
:- add_import_module(m1, m3, start).
r(_) :- mm(_).
