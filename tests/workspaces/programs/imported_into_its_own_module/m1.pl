:- use_module(m2, [r/1 as p]).
t_m1(X) :- p(X).
