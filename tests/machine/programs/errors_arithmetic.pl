%% Errors of arithmetic.
% ?- X is 1/0.
% ?- X is 1.0/0.
% ?- X is foo.
% ?- X is foo+1.
% ?- X is Y+1.
% ?- X is "ab"+1.
% ?- X is 5 mod 0.
% ?- X is 1.5 mod 2.
% ?- X is 1 << a.
% ?- X is log(0.0).
% ?- X is sqrt(-1).
% ?- X is acos(2).
% ?- 1 < a.
% ?- X =:= 1.
% ?- X is 2 ** -1, Y is 2 ** 3, Z is 2 ** 3.0.
% ?- X is 7 // -2, Y is -7 // 2, Z is -7 mod 3, W is -7 rem 3, V is -7 div 2.
% ?- X is max(1, 2.0), Y is min(1, 1.0), Z is abs(-3).
% ?- X is 123456789 ** 5, Y is X mod 97.
% ?- X is 1 rdiv 3 + 1 rdiv 6.
% ?- X is gcd(12, 18), Y is msb(1000), Z is 5 xor 3, W is \ 5.
% ?- X is truncate(3.7), Y is round(-2.5), Z is ceiling(2.1), W is integer(2.5).
% ?- X is cot(1.0).
% ?- X is pi, Y is e, Z is inf.
% ?- succ(X, 0).
% ?- succ(a, X).
% ?- succ(X, Y).
% ?- plus(1, X, 3).
% ?- X is 10 ** 20, Y is X // 3, Z is -X.
% ?- X = 1 + 2, Y is X * 2.
% ?- 1 =:= 1.0, 1 =\= 2, 1 == 1.0.
% ?- fact(25, F).
% ?- fact(-1, F).

fact(0, 1) :- !.
fact(N, F) :- N > 0, M is N-1, fact(M, G), F is N*G.
