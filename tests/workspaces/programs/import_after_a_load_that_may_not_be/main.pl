:- ( fail -> use_module(m1) ; true ).
:- user:import(m1:q/1).

% The clause is refused: the name is imported.
user:q(_) :- reverse([a, b], _).
r(_) :- q(_).
