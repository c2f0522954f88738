% Table 7: derive by x, with cuts, so that no choice point is left behind operators. Expressions are made of names.
:- regtype expr/1.
expr(x).
expr(y).
expr(A+B) :- expr(A), expr(B).
expr(A-B) :- expr(A), expr(B).
expr(A*B) :- expr(A), expr(B).
expr(A/B) :- expr(A), expr(B).

%! derive(+E:expr, +X:atm, -D)
derive(U+V, X, DU+DV) :- !, derive(U, X, DU), derive(V, X, DV).
derive(U-V, X, DU-DV) :- !, derive(U, X, DU), derive(V, X, DV).
derive(U*V, X, DU*V+U*DV) :- !, derive(U, X, DU), derive(V, X, DV).
derive(U/V, X, (DU*V-U*DV)/(V*V)) :- !, derive(U, X, DU), derive(V, X, DV).
derive(x, _, 1).
derive(y, _, 0).
