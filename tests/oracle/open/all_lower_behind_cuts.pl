% The lower bound over all solutions is too high: a cut ends the exploration of the goals before it and of later clauses.
% Move into tests/fixtures once the bounds hold.

a(1).
a(2).
a(3).

m(X, [X|_]).
m(X, [_|T]) :- m(X, T).

%! in_branch(-X).
% Counted 5 (the cut comes at X = 2); the lower bound says 7.
in_branch(X) :- a(X), \+ \+ a(X), ( X = 2 -> ! ; true ).
in_branch(10).

%! behind_negation(-X).
% Counted 3; the lower bound says 4.
behind_negation(X) :- a(X), \+ X = 1, !.
behind_negation(X) :- a(X).

%! in_branches(+Xs:list(int)).
% in_branches([15,2,0,0]) counts 5; the lower bound says 12.
in_branches(Xs) :- m(X, Xs), ( X > 0 -> !, a(_) ; a(_), X < -2, ! ).
in_branches(_).
