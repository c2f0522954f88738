:- ( use_module(m2) -> true ; true ).
:- use_module(m1).
r(_) :- p(_).
