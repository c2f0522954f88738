%%% applies: turned tests, a literal, goals behind
%! sign(+X:int, -S) is det.
sign(X, S) :- X < 0, S = minus.
sign(Y, T) :- 0 =< Y, T = plus.
%%% to
%! sign(+X:int, -S) is det.
sign(X, S) :-
    (   X < 0
    ->  S = minus
    ;   S = plus
    ).
%%% applies: the standard order of atoms
%! order(+X:atom, +Y:atom, -R) is det.
order(X, Y, R) :- X @< Y, R = X-Y.
order(X, Y, R) :- Y @=< X, R = Y-X.
%%% to
%! order(+X:atom, +Y:atom, -R) is det.
order(X, Y, R) :-
    (   X @< Y
    ->  R = X-Y
    ;   R = Y-X
    ).
%%% applies: the output of the second clause in a term
%! cut_off(+Xs:list(int), +K:int, -Ys) is det.
cut_off([], _, []).
cut_off([X|Xs], K, Ys) :- X > K, cut_off(Xs, K, Ys).
cut_off([Y|Xs], K, [Y-Zs|Ys]) :- Y =< K, Zs = [K], cut_off(Xs, K, Ys).
%%% to
%! cut_off(+Xs:list(int), +K:int, -Ys) is det.
cut_off([], _, []).
cut_off([X|Xs], K, Ys) :-
    (   X > K
    ->  cut_off(Xs, K, Ys)
    ;   Ys = [X-Zs|Ys2],
        Zs = [K],
        cut_off(Xs, K, Ys2)
    ).
%%% forbidden: floats may be no numbers
%! sign(+X:number, -S) is semidet.
sign(X, S) :- X < 0, S = minus.
sign(X, S) :- X >= 0, S = plus.
%%% forbidden: neither holds for 0
%! sign(+X:int, -S) is semidet.
sign(X, S) :- X < 0, S = minus.
sign(X, S) :- X > 0, S = plus.
%%% forbidden: the result may choose the clause before a test raises an exception
%! sign(+X:int, ?S) is semidet.
sign(X, minus) :- X < 0.
sign(X, plus) :- X >= 0.
%%% applies: a cut behind the first test
%! sign(+X:int, -S) is semidet.
sign(X, S) :- X < 0, !, S = minus.
sign(X, S) :- X >= 0, S = plus.
%%% to
%! sign(+X:int, -S) is semidet.
sign(X, S) :-
    (   X < 0
    ->  S = minus
    ;   S = plus
    ).
%%% forbidden: other numbers
%! sign(+X:int, +Y:int, -S) is semidet.
sign(X, _, S) :- X < 0, S = minus.
sign(_, Y, S) :- Y >= 0, S = plus.
%%% forbidden: a clause stands between
%! sign(+X:int, -S) is nondet.
sign(X, S) :- X < 0, S = minus.
sign(0, zero).
sign(X, S) :- X >= 0, S = plus.
%%% forbidden: a cut before a clause that may follow
%! sign(+X:int, -S) is nondet.
sign(X, S) :- X < 0, !, S = minus.
sign(X, S) :- X >= 0, S = plus.
sign(_, any).
%%% forbidden: the cut stands behind another goal
%! sign(+X:int, -S) is semidet.
sign(X, S) :- X < 0, member(S, [minus, negative]), !.
sign(X, S) :- X >= 0, S = plus.
%%% forbidden: a division by what may be 0
%! parts(+X:int, +K:int, -S) is det.
parts(X, K, S) :- X // K > 1, S = many.
parts(X, K, S) :- X // K =< 1, S = few.
