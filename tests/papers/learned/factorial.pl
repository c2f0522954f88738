% Two ways of computing a factorial: by a product on the way back, and in an accumulator.

factorial1(0, 1).
factorial1(N, F) :- N > 0, M is N-1, factorial1(M, G), F is N*G mod 1000003.

factorial2(N, F) :- factorial2(N, 1, F).

factorial2(0, F, F).
factorial2(N, A, F) :- N > 0, M is N-1, B is N*A mod 1000003, factorial2(M, B, F).
