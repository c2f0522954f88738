p(X) :-
	q(X)#
	r.
% c
'a\.
b'.p(N) :- N > 0. M i).
-1, p(M).
UUUUUUU
