%%% applies: in a condition, the number on the right
%! fits(+A:int, +N:int, -R) is det.
fits(A, N, R) :- ( between(0, N, X), 2*A-1 =:= X -> R = X ; R = none ).
%%% to
%! fits(+A:int, +N:int, -R) is det.
fits(A, N, R) :- ( X is 2*A-1, between(0, N, X) -> R = X ; R = none ).
%%% applies: a known bound, goals behind it
%! third(+A:int, +B:int, -C) is semidet.
third(A, B, C) :-
    between(-9, 99, X),
    X =:= A*A - B,
    C = found(X).
%%% to
%! third(+A:int, +B:int, -C) is semidet.
third(A, B, C) :-
    X is A*A - B,
    between(-9, 99, X),
    C = found(X).
%%% forbidden: two numbers have this square
%! root(+N:int, -X:int) is nondet.
root(N, X) :- between(-9, N, X), X*X =:= 4.
%%% forbidden: no integer is half of an odd number
%! half(+A:int, +N:int, -X:int) is semidet.
half(A, N, X) :- between(1, N, X), X =:= A/2.
%%% forbidden: a division raises an exception where nothing is looked for
%! part(+A:int, +B:int, +N:int, -X:int) is semidet.
part(A, B, N, X) :- between(1, N, X), X =:= A//B.
%%% forbidden: a bound may be infinite
%! third(+A:int, +N, -X:int) is semidet.
third(A, N, X) :- between(1, N, X), X =:= A+1.
%%% forbidden: the number may be known
%! third(+A:int, +N:int, ?X) is semidet.
third(A, N, X) :- between(1, N, X), X =:= A+1.
%%% forbidden: floats
%! third(+A:number, +N:int, -X:int) is semidet.
third(A, N, X) :- between(1, N, X), X =:= A+1.
%%% applies: an operand of a sum
%! missing(+A:int, +B:int, +N:int, -C:int) is semidet.
missing(A, B, N, C) :- between(0, N, C), A =:= B + C.
%%% to
%! missing(+A:int, +B:int, +N:int, -C:int) is semidet.
missing(A, B, N, C) :- C is A - B, between(0, N, C).
%%% applies: below differences and sums, on the right
%! gap(+A:int, +B:int, +N:int, -X) is semidet.
gap(A, B, N, X) :-
    between(1, N, X),
    2*A - B =:= A*B - (X - (B + 1)) + 7.
%%% to
%! gap(+A:int, +B:int, +N:int, -X) is semidet.
gap(A, B, N, X) :-
    X is A*B - (2*A - B - 7) + (B + 1),
    between(1, N, X).
%%% forbidden: twice
%! gap(+A:int, +N:int, -X) is semidet.
gap(A, N, X) :- between(1, N, X), A =:= X + X.
%%% forbidden: a factor
%! gap(+A:int, +N:int, -X) is semidet.
gap(A, N, X) :- between(1, N, X), A + 1 =:= 2*X.
%%% forbidden: both sides
%! gap(+A:int, +N:int, -X) is semidet.
gap(A, N, X) :- between(1, N, X), A + X =:= X + 1.
%%% forbidden: what is added may be a float
%! gap(+A:int, +B:number, +N:int, -X) is semidet.
gap(A, B, N, X) :- between(1, N, X), A =:= X + B.
%%% forbidden: a remainder
%! gap(+A:int, +N:int, -X) is nondet.
gap(A, N, X) :- between(1, N, X), A =:= X mod 7 + 1.
%%% forbidden: an absolute value
%! gap(+A:int, +N:int, -X) is nondet.
gap(A, N, X) :- between(-9, N, X), A =:= abs(X) + 1.
%%% applies: brackets at the end, in the middle of a row
%! gap(+A:int, +B:int, +N:int, -X) is semidet.
gap(A, B, N, X) :- between(1, N, X), (A - B)*2 =:= X - 3*(A + 1), X > 3.
%%% to
%! gap(+A:int, +B:int, +N:int, -X) is semidet.
gap(A, B, N, X) :- X is (A - B)*2 + 3*(A + 1), between(1, N, X), X > 3.
%%% applies: between two numbers that are given
%! target(+Lo:int, +Hi:int, +P:int, -X:int) is semidet.
target(Lo, Hi, P, X) :- between(Lo, Hi, X), 2*P+1 =:= X.
%%% to
%! target(+Lo:int, +Hi:int, +P:int, -X:int) is semidet.
target(Lo, Hi, P, X) :- X is 2*P+1, between(Lo, Hi, X).
