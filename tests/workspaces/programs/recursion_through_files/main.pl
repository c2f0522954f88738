:- use_module(even).
t(_) :- even([a, b, c, d]).
