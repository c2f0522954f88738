% Bounds in the cost of predicates for which no bound is known, though their clauses are.
% A line `% hard: hail(int, var)` measures the cost and the number of solutions of such calls, for the integers that the calls below pass.

% hard: hail(int, var) path(int, var) trail(int, var) len(list, var)

%! hail(+N:int, -S)
hail(N, S) :- N =< 1, !, S = 0.
hail(N, S) :- next(N, M), hail(M, S0), S is S0+1.

next(N, M) :- N mod 2 =:= 0, !, M is N // 2.
next(N, M) :- M is 3*N + 1.

%! path(+N:int, -M)
path(N, N).
path(N, M) :- N > 1, next(N, K), path(K, M).

%! trail(+N:int, -Ns)
trail(N, [N]) :- N =< 1, !.
trail(N, [N|Ns]) :- next(N, M), trail(M, Ns).

len([], 0).
len([_|Xs], N) :- len(Xs, M), N is M+1.

summed([], 0).
summed([X|Xs], S) :- summed(Xs, S0), S is S0+X.

% call: one(int, var)
%! one(+X:int, -S)
one(X, S) :- hail(X, S).

% call: each(list, var)
%! each(+Xs:list(int), -Ss)
each([], []).
each([X|Xs], [S|Ss]) :- hail(X, S), each(Xs, Ss).
% steps: n*(hail+1)+1

% call: looped(list, int, var)
%! looped(+Xs:list(int), +S0:int, -S)
looped(Xs, A, S) :- A = 0, loop(Xs, A, S).
loop([], S, S).
loop([X|Xs], S0, S) :- hail(X, S1), S2 is S0+S1, loop(Xs, S2, S).

% call: mapped(list, var)
%! mapped(+Xs:list(int), -Ss)
mapped(Xs, Ss) :- maplist(hail, Xs, Ss).

% call: chosen(int, var)
%! chosen(+X:int, -S)
chosen(X, S) :- ( hail(X, S0), S0 > 3 -> S = S0 ; trail(X, Ns), len(Ns, S) ).

% call: all(int, var)
%! all(+X:int, -N)
all(X, N) :- findall(Y, path(X, Y), Ys), length(Ys, N).

% call: tried(int, var)
%! tried(+X:int, -Y)
tried(X, Y) :- path(X, Y), hail(X, _).

% call: all_tried(list)
%! all_tried(+Xs:list(int))
all_tried(Xs) :- forall(member(X, Xs), ( path(X, Y), hail(Y, _) )).
% steps: n*(path+solutions(path/2)*hail+1)+n+1

% call: found(int, var)
%! found(+X:int, -S)
found(X, S) :- path(X, Y), Y mod 2 =:= 1, !, S = Y.

% call: measured(int, var)
%! measured(+X:int, -N)
measured(X, N) :- trail(X, Ns), len(Ns, N).

% call: both(list, var)
%! both(+Xs:list(int), -T)
both(Xs, T) :- each(Xs, Ss), summed(Ss, T).
% steps: n*hail+2*n+3

% call: nested(list, var)
%! nested(+Xs:list(int), -Ts)
nested([], []).
nested([X|Xs], [T|Ts]) :- all(X, N), one(X, S), T is N+S, nested(Xs, Ts).

% call: negated(list)
%! negated(+Xs:list(int))
negated(Xs) :- forall(member(X, Xs), \+ path(X, 5)).

% call: caught(int, var)
%! caught(+X:int, -S)
caught(X, S) :- catch(hail(X, S), _, fail).
