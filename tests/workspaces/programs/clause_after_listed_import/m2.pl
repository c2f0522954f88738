:- module(m2, []).
user:p(_) :- chain.
chain :- chain1.
chain1 :- chain2.
chain2 :- chain3.
chain3 :- chain4.
chain4.
