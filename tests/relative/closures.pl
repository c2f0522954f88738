% Bounds in the cost of goals and closures that callers pass.

% call: keep(goal(1), list, var)
%! keep(+P, +Xs:list(int), -Ys)
keep(_, [], []).
keep(P, [X|Xs], Ys) :- ( call(P, X) -> Ys = [X|Zs] ; Ys = Zs ), keep(P, Xs, Zs).
% steps: n*G1+n+1

% call: each(list, goal(1))
%! each(+Xs:list(int), +G)
each([], _).
each([X|Xs], G) :- call(G, X), each(Xs, G).
% steps: n*G2+n+1

% call: both(goal(0), goal(0))
%! both(+A, +B)
both(A, B) :- call(A), B.
% steps: G1+G2+1

% call: none(goal(0))
%! none(+A)
none(A) :- \+ A.
none(A) :- once(A).
% steps: 2*G1+2

% call: through(goal(1), list, var)
%! through(+P, +Xs:list(int), -Ys)
through(P, Xs, Zs) :- keep(P, Xs, Ys), keep(P, Ys, Zs).
% steps: 2*n*G1+2*n+3

% call: checked(goal(1), list)
%! checked(+P, +Xs:list(int))
checked(P, Xs) :- maplist(P, Xs).
% steps: n*G1+n+3

% call: picked(goal(1), list, var)
%! picked(+P, +Xs:list(int), -Ys)
picked(P, Xs, Ys) :- include(P, Xs, Ys).
% steps: n*G1+n+3

% call: all_of(list, goal(1))
%! all_of(+Xs:list(int), +G)
all_of(Xs, G) :- forall(member(X, Xs), call(G, X)).

% call: turned(goal(1), int)
%! turned(+P, +N:int)
turned(_, N) :- N =< 0, !.
turned(P, N) :- ignore(call(P, N)), M is N-1, turned(P, M).
