% Bounds in the number of facts of dynamic predicates.

:- dynamic par/2, score/1, edge/3, flag/0.

% call: grand(var, var)
%! grand(?X, ?Z)
grand(X, Z) :- par(X, Y), par(Y, Z).
% steps: par^2+par+1

% call: grand_of(int, var)
%! grand_of(+X:int, -Z)
grand_of(A, C) :- par(A, B), true, par(B, C).
% steps: par^2+par+1

% call: total(var)
%! total(-T)
total(N) :- findall(S, score(S), Ss), length(Ss, N).
% steps: score+1

% call: known(int, int)
%! known(+X:int, +Y:int)
known(X, Y) :- ( par(X, Y) -> true ; \+ par(Y, X) ).
% steps: 3

% call: reached(list, var)
%! reached(+Xs:list(int), -Ns)
reached([], []).
reached([X|Xs], [N|Ns]) :- findall(Y, par(X, Y), Ys), length(Ys, N), reached(Xs, Ns).
% steps: n*par+n+1

% call: shown
show_one(X) :- number(X), !.
show_one(_).
shown :- forall(edge(A, B, _), ( show_one(A), show_one(B) )).
% steps: 3*edge+1

% call: lit(list)
%! lit(+Xs:list(int))
lit([]).
lit([_|Xs]) :- ( flag -> true ; true ), lit(Xs).
% steps: 2*n+1

% call: cousins(var, var)
%! cousins(?X, ?Y)
cousins(X, Y) :- grand(G, X), grand(G, Y).
% steps: par^4+par^3+2*par^2+par+2
