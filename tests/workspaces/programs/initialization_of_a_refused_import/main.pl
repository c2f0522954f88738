% m1 does not export q/1: the directive is refused, and m1's goal does not run.
:- use_module(m1, except([q/1])).
:- consult(part).
s(_) :- h1.
h1 :- h2.
h2.
