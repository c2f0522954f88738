:- use_module(rules).
r(_) :- q, q.
q :- w.
w.
