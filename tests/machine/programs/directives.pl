% Directives run where they stand, with the clauses before them; initialization/1 when all is loaded.
:- discontiguous(p/1).
:- discontiguous(q/1).
:- dynamic(seen/2).

note(Which, Goal) :- findall(Goal, catch(Goal, error(E, _), true), Goals0), ( nonvar(E) -> true ; Goals = Goals0 ), assertz(seen(Which, Goals)).

p(1).
:- note(a, p(_)).
p(2).
p(3) :- later.
:- note(b, p(_)).
:- initialization(note(last, p(_))).
:- catch(later, error(E, _), true), assertz(seen(error, E)).
later.
:- note(c, p(_)).

% A predicate of a library: its own clauses take its place, for the clauses before, too.
ends(X) :- last([1,2,3], X).
last(_, own).
:- note(d, ends(_)).

q(X) :- r(X).
r(1).
:- note(e, q(_)).
r(2) :- fail.
:- if(r(1)).
r(3).
:- else.
r(4).
:- endif.
:- if(\+ catch(q(4), _, fail)).
q(5).
:- endif.
:- note(f, q(_)).

:- dynamic(d/1).
d(1).
:- assertz(d(2)).
d(3).
:- retract(d(1)).
:- note(g, d(_)).

% ?- seen(Which, Goals).
% ?- p(X).
% ?- q(X).
% ?- d(X).
% ?- clause(r(X), Body).

% A clause that was linked before its predicate was there.
uses(X) :- made(X), X > 0.
% ?- catch(uses(X), error(E, _), true).
% ?- assertz(made(1)), uses(X).
