:- use_module(hook).
p(_) :- q(_), q(_).
q(_).
