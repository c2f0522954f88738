:- use_module(m).
t(_) :- u(_), w(_).
u(_).
w(_) :- x.
x.
