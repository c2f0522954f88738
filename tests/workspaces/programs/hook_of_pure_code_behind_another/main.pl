% The hook of another file takes the term first.
:- use_module(log).
:- multifile user:term_expansion/2.
user:term_expansion(a(X), b(X)).
a(1).
b(2).
t(_) :- b(_).
