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
