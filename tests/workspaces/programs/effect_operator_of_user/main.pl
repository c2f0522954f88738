:- use_module(rules).
t(_) :- r(_).
