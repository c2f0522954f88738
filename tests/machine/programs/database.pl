%% A family with derived relations, and counting over joins.
% ?- ancestor(X, ann).
% ?- sibling(X, Y), X @< Y.
% ?- cousin(C, D), C @< D.
% ?- findall(N-P, ( person(P), children(P, N) ), L), sort(0, @>=, L, S).
% ?- generation(G, P).
% ?- oldest_line(L).
% ?- \+ ancestor(zoe, _).

parent(adam, bert). parent(adam, carl). parent(eve, bert). parent(eve, carl).
parent(bert, dora). parent(bert, emil). parent(carl, finn). parent(finn, ann).

person(P) :- setof(X, Y^( parent(X, Y) ; parent(Y, X) ), Ps), member(P, Ps).

ancestor(X, Y) :- parent(X, Y).
ancestor(X, Z) :- parent(X, Y), ancestor(Y, Z).

sibling(X, Y) :- setof(X-Y, P^( parent(P, X), parent(P, Y), X \== Y ), L), member(X-Y, L).

cousin(X, Y) :- parent(P, X), parent(Q, Y), P \== Q, once(sibling(P, Q)).

children(P, N) :- aggregate_all(count, parent(P, _), N).

generation(0, P) :- person(P), \+ parent(_, P).
generation(G, P) :- generation_of(P, G), G > 0.
generation_of(P, 0) :- person(P), \+ parent(_, P).
generation_of(P, G) :- setof(Q, parent(Q, P), [Q|_]), generation_of(Q, H), G is H+1.

oldest_line([X|L]) :- \+ parent(_, X), line_from(X, L), length(L, N), N >= 3, !.
oldest_line([]).
line_from(X, [Y|L]) :- parent(X, Y), line_from(Y, L).
line_from(_, []).
