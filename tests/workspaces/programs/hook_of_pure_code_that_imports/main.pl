% between/3 is the program's own.
:- use_module(own).
term_expansion(g(N), Gs) :- findall(g(I), between(1, N, I), Gs).
g(3).
t(_) :- g(_).
