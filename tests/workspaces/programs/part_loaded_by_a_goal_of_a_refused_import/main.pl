% m1 does not export last/2: an error here, and the goal of m1 loads m2 into m1 all the same.
:- module(main, [reverse/2]).
:- m1:use_module(m1, except([last/2])).
:- consult(m2).
reverse(_, _).
