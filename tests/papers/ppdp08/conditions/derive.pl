% Table 7: derive by x, with a condition for names. Expressions are made of names.
:- regtype expr/1.
expr(x).
expr(y).
expr(A+B) :- expr(A), expr(B).
expr(A-B) :- expr(A), expr(B).
expr(A*B) :- expr(A), expr(B).
expr(A/B) :- expr(A), expr(B).

%! derive(+E:expr, +X:atm, -D)
derive(E, X, D) :-
    (   E = U+V
    ->  D = DU+DV, derive(U, X, DU), derive(V, X, DV)
    ;   E = U-V
    ->  D = DU-DV, derive(U, X, DU), derive(V, X, DV)
    ;   E = U*V
    ->  D = DU*V+U*DV, derive(U, X, DU), derive(V, X, DV)
    ;   E = U/V
    ->  D = (DU*V-U*DV)/(V*V), derive(U, X, DU), derive(V, X, DV)
    ;   E = X
    ->  D = 1
    ;   D = 0
    ).
