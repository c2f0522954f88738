:- ( fail -> use_module(m2) ; true ).
:- use_module(m1).
r(_) :- p(_).
