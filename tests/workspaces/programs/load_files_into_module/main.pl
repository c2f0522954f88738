:- use_module(m1).
:- load_files(m1:extra, []).
r(_) :- q(_).
