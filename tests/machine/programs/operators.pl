%% Operators that the program declares.
% ?- X = (a ==> b ==> c), X = (L ==> R), write_canonical(X).
% ?- print(not p and q or r), nl.
% ?- print(1 ~> (2 ~> 3)), nl, print((1 ~> 2) ~> 3).
% ?- eval(true and not false or false, V).
% ?- current_op(P, T, ==>).
% ?- current_op(P, xfx, is).
% ?- op(0, xfx, ~>), writeq(~>(1,2)).
% ?- X = [a:-b,(c,d)|e], print(X).
% ?- op(700, xfx, [=~, ~~]), T = =~(a,b), writeq(T).
% ?- writeq(-(-(1))), nl, writeq(- a), nl, writeq(1 - (-1)), nl, writeq(2**(-1)).
% ?- writeq(f(:-, (a:-b))), nl, writeq([(a,b)]), nl, writeq({a,b}).
% ?- writeq('hello world'), nl, writeq([]), nl, writeq('[]'), nl, writeq(a*(b+c)*d).
% ?- current_op(P, T, mod).
% ?- op(1200, xfy, []).
% ?- findall(P-T, current_op(P, T, -), L), msort(L, M).

:- op(700, xfy, ==>).
:- op(500, fy, not).
:- op(600, xfy, and).
:- op(650, xfy, or).
:- op(650, xfx, ~>).

eval(true, true).
eval(false, false).
eval(not X, V) :- eval(X, W), ( W == true -> V = false ; V = true ).
eval(X and Y, V) :- eval(X, A), eval(Y, B), ( A == true, B == true -> V = true ; V = false ).
eval(X or Y, V) :- eval(X, A), eval(Y, B), ( A == false, B == false -> V = false ; V = true ).
