:- pred isort(A, B) : (list(A, int), var(B)) + cost(ub, steps, length(A)^2+2).
isort([], []).
isort([H|T], S) :- isort(T, R), ins(H, R, S).
ins(X, [], [X]).
ins(X, [Y|T], [X,Y|T]) :- X =< Y, !.
ins(X, [Y|T], [Y|R]) :- ins(X, T, R).
