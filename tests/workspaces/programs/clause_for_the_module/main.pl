:- use_module(m1).
r(_) :- mm(_).
m1:last(_, _) :- chain.
chain :- chain1.
chain1 :- chain2.
chain2 :- chain3.
chain3 :- chain4.
chain4.
