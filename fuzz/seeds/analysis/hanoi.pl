hanoi(0, _, _, _).
hanoi(N, A, B, C) :- N > 0, M is N-1, hanoi(M, A, C, B), hanoi(M, C, B, A).
