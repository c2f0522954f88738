:- reexport(m2, [p/1]).
t_m1(_) :- ignore(true), p(_).
