p(L) :- findall(X, member(X, L), Y), forall(q(Y), r), \+ q(L), call(s, 1), once(q(_)), catch(r, _, true).
q([_|T]) :- q(T).
r.
s(_) :- maplist(t, [1,2]).
t(X) :- between(1, 3, X).
