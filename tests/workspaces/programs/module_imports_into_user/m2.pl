:- module(m2, []).
:- user:use_module(m3).
