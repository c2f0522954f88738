:- module(main, [r/1]).
:- add_import_module(m1, m2, start).
:- load_files(m2, [if(not_loaded)]).
:- set_module(m2:base(m1)).
:- initialization(load_files(m1, [if(not_loaded)])).

r(_) :- m2:s(_).
