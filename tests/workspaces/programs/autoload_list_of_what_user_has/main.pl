:- use_module(m3).
:- use_module(m4).
r(_) :- t(_).
