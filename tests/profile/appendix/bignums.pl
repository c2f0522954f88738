% 13^16000 in two ways, by multiplying and by squaring; the results are compared.
% predicates: 4
% goal: bignums
bignums :- linear(16000, 13, L), squaring(16000, 13, S), L =:= S.

linear(N, B, P) :- linear(N, B, 1, P).

linear(0, _, P, P) :- !.
linear(N, B, P0, P) :- N1 is N - 1, P1 is P0 * B, linear(N1, B, P1, P).

squaring(0, _, 1) :- !.
squaring(N, B, P) :-
    H is N // 2,
    squaring(H, B, P0),
    ( N mod 2 =:= 0 -> P is P0 * P0 ; P is P0 * P0 * B ).
