%% Generators, limits, counting with between and repeat.
% ?- pythagorean(20, A-B-C).
% ?- findall(X-Y, ( between(1, 3, X), between(X, 3, Y) ), L).
% ?- nth_solution(3, X, member(X, [a,b,c,d])).
% ?- between(1, 3, 2), \+ between(1, 3, 4), findall(X, between(3, 1, X), L).
% ?- length(L, N), N >= 2, !.
% ?- natural(X), X > 3, !.
% ?- aggregate_all(count, ( between(1, 100, X), X mod 7 =:= 0 ), N).
% ?- forall(between(1, 3, X), ( write(X), nl )).
% ?- catch(forall(between(1, inf, X), ( X < 4 -> true ; throw(stop(X)) )), stop(Y), true).

natural(1).
natural(N) :- natural(M), N is M+1.

pythagorean(N, A-B-C) :- between(1, N, A), between(A, N, B), C2 is A*A+B*B, C is truncate(sqrt(C2)), C =< N, C*C =:= C2.

nth_solution(N, T, G) :- findall(T, G, L), nth1(N, L, T).
