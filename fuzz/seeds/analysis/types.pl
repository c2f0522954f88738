len([], 0).
len([_|T], N) :- len(T, M), N is M+1.
flat(X) :- atom(X), !.
flat(t(L, _, R)) :- flat(L), flat(R).
