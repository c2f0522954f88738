:- dynamic q/1.
t_m1(_) :- q(_).
