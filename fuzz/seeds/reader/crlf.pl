p(X) :-
	q(X),
	r.
% c
'a\
b'.
