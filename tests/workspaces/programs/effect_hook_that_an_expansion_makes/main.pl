% The hooks come from an expansion, and from a clause that a directive calls.
term_expansion(hook, [goal_expansion(n, (m, m, m))]).
add(G) :- assertz(user:goal_expansion(o, G)).
hook.
:- add((m, m)).
t(_) :- n.
u(_) :- o.
n.
o.
m.
