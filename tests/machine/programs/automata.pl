%% Finite automata and regular expressions.
% ?- accepts(even_zeros, [0,1,0]).
% ?- accepts(even_zeros, [0]).
% ?- length(W, 2), accepts(even_zeros, W).
% ?- matches(seq(star(a), b), [a,a,b]).
% ?- findall(W, ( length(W, N), ( N > 3 -> ! , fail ; matches(star(alt(a, seq(b, c))), W) ) ), L).
% ?- findall(W, ( between(0, 3, N), length(W, N), matches(star(alt(a, seq(b, c))), W) ), L).

start(even_zeros, even).
final(even_zeros, even).
move(even_zeros, even, 0, odd).
move(even_zeros, odd, 0, even).
move(even_zeros, S, 1, S).

accepts(M, W) :- start(M, S), run(M, S, W).
run(M, S, []) :- final(M, S).
run(M, S, [X|W]) :- move(M, S, X, T), run(M, T, W).

matches(R, W) :- match(R, W, []).
match(seq(A, B), X, Z) :- match(A, X, Y), match(B, Y, Z).
match(alt(A, _), X, Y) :- match(A, X, Y).
match(alt(_, B), X, Y) :- match(B, X, Y).
match(star(_), X, X).
match(star(A), X, Z) :- nonempty(A, X, Y), match(star(A), Y, Z).
match(S, [S|X], X) :- atom(S).
nonempty(A, X, Y) :- match(A, X, Y), X \== Y.
