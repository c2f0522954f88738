:- module(m1, [t/0]).
:- add_import_module(m1, below, start).
t :- s.
s.
v.
