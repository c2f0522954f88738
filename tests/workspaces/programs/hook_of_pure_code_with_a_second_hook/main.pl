% What one file's hook gives, the hook of another takes.
:- use_module(log).
term_expansion(a(X), b(X)).
a(1).
b(2).
c(1).
t(_) :- b(_), c(_).
