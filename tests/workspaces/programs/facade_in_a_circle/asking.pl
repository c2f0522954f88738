:- module(asking, [ask/1]).
ask(_) :- chain.
chain :- chain1.
chain1.
