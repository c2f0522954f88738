% Table 7: substitute, with conditions.
:- regtype expr/1.
expr(x).
expr(op(A, B)) :- expr(A), expr(B).

%! substitute(+E:expr, +S:list(ground), -F)
substitute(E, S, F) :-
    (   E = op(A, B)
    ->  F = op(C, D),
        substitute(A, S, C),
        substitute(B, S, D)
    ;   look(S, E, F)
    ).

look([], X, X).
look([P|S], X, R) :- ( P = s(X, Y) -> R = Y ; look(S, X, R) ).
