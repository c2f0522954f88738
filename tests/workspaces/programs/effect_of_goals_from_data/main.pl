% Directives that build the goals that change predicates.
:- dynamic q/1.
p(1).
q(1).
r(1).
:- maplist(abolish, [p/1]).
:- G =.. [dynamic, r/1], call(G).
:- A = assertz, call(A, p(1)), call(A, p(2)), call(A, q(2)).
:- assertz(r(3)).
t(_) :- p(_), fail.
t(_).
u(_) :- q(_), fail.
u(_).
v(_) :- r(_), fail.
v(_).
s(_) :- w(_), w(_).
w(_).
