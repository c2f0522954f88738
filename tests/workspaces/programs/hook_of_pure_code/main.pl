% The hook is run: three clauses of g/1 in place of one, and one of h/1.
term_expansion(g(N), Gs) :- findall(g(I), between(1, N, I), Gs).
term_expansion((H <= B), (H :- B)).
:- op(1150, xfx, <=).
g(3).
t(_) :- g(_), h(_).
h(_) <= p(_), p(_).
p(_).
