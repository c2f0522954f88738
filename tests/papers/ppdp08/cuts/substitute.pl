% Table 7: substitute, with cuts in place of conditions.
:- regtype expr/1.
expr(x).
expr(op(A, B)) :- expr(A), expr(B).

%! substitute(+E:expr, +S:list(ground), -F)
substitute(op(A, B), S, op(C, D)) :- !, substitute(A, S, C), substitute(B, S, D).
substitute(X, S, Y) :- look(S, X, Y).

look([], X, X).
look([s(X, Y)|_], X, Y) :- !.
look([_|S], X, Y) :- look(S, X, Y).
