%% A multiplication puzzle over even and odd digits.
% ?- crypt(A, B, C).

crypt(A, B, P) :-
    odd(A1), even(A2), even(A3),
    A is A1*100+A2*10+A3,
    even(B1), even(B2),
    B is B1*10+B2,
    X is A*B2, X >= 1000, digits(X, [e,e,o,e]),
    Y is A*B1, Y >= 100, digits(Y, [e,o,e]),
    P is A*B, digits(P, [o,o,e,e]).

odd(1). odd(3). odd(5). odd(7). odd(9).
even(2). even(4). even(6). even(8). even(0).

digits(N, Kinds) :- reverse(Kinds, Low), low(Low, N).

low([K], N) :- !, N < 10, kind(N, K).
low([K|Ks], N) :- D is N mod 10, kind(D, K), M is N//10, low(Ks, M).

kind(D, o) :- D mod 2 =:= 1, !.
kind(D, e) :- D mod 2 =:= 0.
