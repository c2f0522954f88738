% m2.pl is no module: m1 loads it as a part of itself, and `user` is then refused. So `v/1` is dynamic in m1, and not defined here.
:- use_module(m1).
:- ensure_loaded(m2).
t_main(_) :- ignore(true), v(_).
