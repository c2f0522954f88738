%% Doubly recursive functions.
% ?- fib(15, F).
% ?- fib_acc(90, F).
% ?- collatz(27, N).
% ?- gcd_own(1071, 462, G).
% ?- pow(2, 64, P).
% ?- digits_sum(98765, S).
% ?- perfect(28), \+ perfect(27).

fib(0, 0).
fib(1, 1).
fib(N, F) :- N > 1, A is N-1, B is N-2, fib(A, X), fib(B, Y), F is X+Y.

fib_acc(N, F) :- fib_acc(N, 0, 1, F).
fib_acc(0, A, _, A) :- !.
fib_acc(N, A, B, F) :- M is N-1, C is A+B, fib_acc(M, B, C, F).

collatz(1, 0) :- !.
collatz(X, N) :- ( X mod 2 =:= 0 -> Y is X//2 ; Y is 3*X+1 ), collatz(Y, M), N is M+1.

gcd_own(A, 0, A) :- !.
gcd_own(A, B, G) :- C is A mod B, gcd_own(B, C, G).

pow(_, 0, 1) :- !.
pow(B, E, P) :- H is E//2, pow(B, H, Q), ( E mod 2 =:= 0 -> P is Q*Q ; P is Q*Q*B ).

digits_sum(0, 0) :- !.
digits_sum(N, S) :- D is N mod 10, M is N//10, digits_sum(M, T), S is T+D.

perfect(N) :- H is N//2, findall(D, ( between(1, H, D), N mod D =:= 0 ), Ds), sum_list(Ds, N).
