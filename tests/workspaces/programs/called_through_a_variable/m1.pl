:- module(m1, [mm/1]).
mm(_) :- G = last([a, b], _), call(G).
