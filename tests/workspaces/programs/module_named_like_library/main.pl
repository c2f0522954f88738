:- use_module(lists).
r(_) :- last([a, b], _).
