% Table 7: derive, the derivative of an expression.
:- regtype expr/1.
expr(x).
expr(c(_)).
expr(A+B) :- expr(A), expr(B).
expr(A-B) :- expr(A), expr(B).
expr(A*B) :- expr(A), expr(B).
expr(A/B) :- expr(A), expr(B).

%! derive(+E:expr, +X:atm, -D) is det.
derive(x, _, c(1)).
derive(c(_), _, c(0)).
derive(U+V, X, DU+DV) :- derive(U, X, DU), derive(V, X, DV).
derive(U-V, X, DU-DV) :- derive(U, X, DU), derive(V, X, DV).
derive(U*V, X, DU*V+U*DV) :- derive(U, X, DU), derive(V, X, DV).
derive(U/V, X, (DU*V-U*DV)/(V*V)) :- derive(U, X, DU), derive(V, X, DV).
