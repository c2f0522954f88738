%% Facts and rules that are told apart by the first argument.
% ?- kind(X, number).
% ?- kind(12, K).
% ?- kind("s", K).
% ?- kind(f(x), K).
% ?- kind([], K).
% ?- kind([a], K).
% ?- kind(1.0, K).
% ?- kind(1.5, K).
% ?- kind(12345678901234567890, K).
% ?- color(X), \+ color(purple).
% ?- shape(circle(2), A).
% ?- shape(X, A).
% ?- first_last(X, Y).

kind(12, number).
kind(1.5, float).
kind("s", string).
kind([], nil).
kind([_|_], list).
kind(f(_), compound).
kind(12345678901234567890, big).
kind(X, other) :- var(X).
kind(a, atom).
kind(12, twelve).

color(red). color(green). color(blue). color(red).

shape(circle(R), A) :- A is 3*R*R.
shape(square(S), A) :- number(S), A is S*S.
shape(point, 0).

first_last(a, z).
first_last(X, y) :- color(X).
first_last(b, x).
