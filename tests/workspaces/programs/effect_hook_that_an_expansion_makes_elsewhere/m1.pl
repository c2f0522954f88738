:- module(m1, [q/1]).
q(_) :- v(_), w(_).
v(_) :- a.
w(_).
a :- b.
b.
