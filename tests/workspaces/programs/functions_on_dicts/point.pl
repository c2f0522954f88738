:- module(point, []).
M.twice() := point{x: X, y: Y} :- X is M.x*2, Y is M.y*2, slow, slow.
M.moved(N) := M.put(x, X) :- X is M.x+N, slow.
slow.
r(_, _) :- slow.
