% Clauses that the call itself adds count as well: a parameter is the number of clauses when the call begins.

:- dynamic seen/1, log/2.

% call: mark(int)
%! mark(+X:int)
mark(X) :- ( seen(X) -> true ; assertz(seen(X)) ).
% steps: 2

% call: listed(list, var)
%! listed(+Xs:list(int), -Ys)
listed([], []).
listed([X|Xs], [N|Ys]) :- findall(Z, seen(Z), Zs), length(Zs, N), assertz(seen(X)), listed(Xs, Ys).
% steps: n*(seen+n)+n+1

% call: twice(int, var)
%! twice(+X:int, -Y)
twice(X, Y) :- assertz(seen(X)), asserta(seen(X)), seen(Y).
% steps: seen+3

% call: noted(list)
%! noted(+Xs:list(int))
noted([]).
noted([X|Xs]) :- assertz(log(X, here)), noted(Xs).
count(N) :- findall(X, log(X, _), Xs), length(Xs, N).
% call: noted_and_counted(list, var)
%! noted_and_counted(+Xs:list(int), -N)
noted_and_counted(Xs, N) :- noted(Xs), count(N).
% steps: log+2*n+3
