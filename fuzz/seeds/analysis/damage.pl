p([]).
p([H|T) :- p(T).
q(X) :- p(X).
q(Y :- r.
:- dynamic r/1.
r(1).
