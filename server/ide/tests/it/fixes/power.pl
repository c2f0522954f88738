%%% applies: other places of arguments, clauses the other way round
%! raised(+N:int, -P, +X:int) is semidet.
raised(N, P, X) :-
    0 < N,
    M is N-1,
    raised(M, Q, X),
    P is X*Q.
raised(0, 1, _).
%%% to
%! raised(+N:int, -P, +X:int) is semidet.
raised(N, P, X) :-
    0 < N,
    P is X^N.
raised(0, 1, _).
%%% forbidden: floats are rounded otherwise
%! pow(+X:number, +N:int, -P) is semidet.
pow(_, 0, 1).
pow(X, N, P) :- N > 0, M is N-1, pow(X, M, Q), P is Q*X.
%%% forbidden: a sum
%! pow(+X:int, +N:int, -P) is semidet.
pow(_, 0, 1).
pow(X, N, P) :- N > 0, M is N-1, pow(X, M, Q), P is Q+X.
%%% forbidden: the result may be known before
%! pow(+X:int, +N:int, ?P) is semidet.
pow(_, 0, 1).
pow(X, N, P) :- N > 0, M is N-1, pow(X, M, Q), P is Q*X.
%%% forbidden: two at a time
%! pow(+X:int, +N:int, -P) is semidet.
pow(_, 0, 1).
pow(X, N, P) :- N > 0, M is N-2, pow(X, M, Q), P is Q*X.
%%% applies: an if-then-else, the exponent first
%! raised(+N:int, +X:int, -P:int) is semidet.
raised(N, X, P) :- ( N =:= 0 -> P = 1 ; N > 0, M is N-1, raised(M, X, Q), P is X*Q ).
%%% to
%! raised(+N:int, +X:int, -P:int) is semidet.
raised(N, X, P) :- ( N =:= 0 -> P = 1 ; N > 0, P is X^N ).
%%% applies: a cut in the place of the test
%! raised(+X:int, +N:nat, -P:int) is det.
raised(_, 0, 1) :- !.
raised(X, N, P) :- M is N-1, raised(X, M, Q), P is X*Q.
%%% to
%! raised(+X:int, +N:nat, -P:int) is det.
raised(_, 0, 1) :- !.
raised(X, N, P) :- P is X^N.
%%% applies: the step cuts, succ/2
%! raised(+X:int, +N:int, -P:int) is semidet.
raised(X, N, P) :- N > 0, !, succ(M, N), raised(X, M, Q), P is X*Q.
raised(_, 0, 1).
%%% to
%! raised(+X:int, +N:int, -P:int) is semidet.
raised(X, N, P) :- N > 0, !, P is X^N.
raised(_, 0, 1).
%%% forbidden: a cut in the place of the test, and the exponent may be negative
%! raised(+X:int, +N:int, -P:int) is det.
raised(_, 0, 1) :- !.
raised(X, N, P) :- M is N-1, raised(X, M, Q), P is X*Q.
%%% forbidden: no cut
%! raised(+X:int, +N:nat, -P:int) is nondet.
raised(_, 0, 1).
raised(X, N, P) :- M is N-1, raised(X, M, Q), P is X*Q.
