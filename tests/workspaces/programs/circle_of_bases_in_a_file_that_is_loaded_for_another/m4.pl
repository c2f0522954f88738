:- module(m4, []).
:- set_module(m4:base(m3)).
