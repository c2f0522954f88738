:- module(main, []).
:- use_module(queries).
t :- ask(_).
