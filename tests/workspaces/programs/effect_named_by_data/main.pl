% The directive makes u/1 and v/1 dynamic, by names that are facts.
names([u, v]).
:- names(Ns), forall(member(N, Ns), dynamic(N/1)).
t(_) :- p(_), q(_).
p(_).
q(_) :- p(_), p(_).
r(_) :- u(_).
u(_).
v(_) :- u(_).
