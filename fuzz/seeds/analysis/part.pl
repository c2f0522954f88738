qs([], []).
qs([H|T], S) :- part(T, H, A, B), qs(A, X), qs(B, Y), append(X, [H|Y], S).
part([], _, [], []).
part([X|T], P, [X|A], B) :- X < P, part(T, P, A, B).
part([X|T], P, A, [X|B]) :- X >= P, part(T, P, A, B).
