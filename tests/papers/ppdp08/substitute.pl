% Table 7: substitute, the names in an expression replaced by what a list says.
:- regtype expr/1.
expr(x).
expr(c(_)).
expr(op(A, B)) :- expr(A), expr(B).

%! subst(+E:expr, +S:list(ground), -F)
subst(op(A, B), S, op(C, D)) :- subst(A, S, C), subst(B, S, D).
subst(x, S, Y) :- look(S, x, Y).
subst(c(N), S, Y) :- look(S, c(N), Y).

look([], X, X).
look([s(Z, Y)|S], X, R) :- ( Z == X -> R = Y ; look(S, X, R) ).
