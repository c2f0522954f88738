:- use_module(log).
t(_) :- p(_), q(_).
p(_).
q(_) :- p(_).
