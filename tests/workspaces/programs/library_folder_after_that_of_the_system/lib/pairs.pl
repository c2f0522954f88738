:- module(pairs, [pairs_keys/2]).
pairs_keys(_, _) :- n, n, n, n.
n.
