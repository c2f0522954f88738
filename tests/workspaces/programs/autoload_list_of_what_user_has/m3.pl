:- module(m3, [reverse/2]).
reverse(_, _) :- h1.
h1 :- h2.
h2 :- h3.
h3 :- h4.
h4 :- h5.
h5.
