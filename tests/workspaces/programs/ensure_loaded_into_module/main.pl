:- use_module(m1).
:- m1:ensure_loaded(extra).
r(_) :- q(_).
