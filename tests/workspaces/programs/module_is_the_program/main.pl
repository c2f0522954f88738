:- module(main, [p/1]).
:- use_module(m2, []).
r(_) :- m2:q(_).
p(_) :- chain.
chain :- chain1.
chain1 :- chain2.
chain2 :- chain3.
chain3 :- chain4.
chain4.
