:- module(m3, [succ_or_zero/1]).
succ_or_zero(_) :- h1.
h1 :- h2.
h2 :- h3.
h3 :- h4.
h4.
