:- module(m3, [a/1]).
:- use_module(m4).
a(_).
