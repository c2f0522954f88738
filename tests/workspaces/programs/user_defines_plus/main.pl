:- use_module(m1).
r(_) :- mm(_).
plus(_, _, _) :- chain.
chain :- chain1.
chain1 :- chain2.
chain2 :- chain3.
chain3 :- chain4.
chain4.
