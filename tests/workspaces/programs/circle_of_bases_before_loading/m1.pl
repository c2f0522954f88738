:- module(m1, []).

last(_, _) :- h1.
h1 :- h2.
h2 :- h3.
h3 :- h4.
h4 :- h5.
h5 :- h6.
h6 :- h7.
h7.
