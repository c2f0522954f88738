% A term is taken only by the hooks before it, with the clauses before it.
g(2).
term_expansion(g(N), Gs) :- findall(g(I), upto(N, I), Gs).
upto(N, I) :- between(1, N, I).
g(2).
upto(_, 9).
g(1).
t(_) :- g(_).
