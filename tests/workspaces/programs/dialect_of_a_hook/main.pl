:- multifile user:goal_expansion/2.
:- dynamic user:goal_expansion/2.
user:goal_expansion(p(X), q(X)) :- prolog_load_context(dialect, xsb).
user:goal_expansion(G, H) :- prolog_load_context(module, other), change(G, H).
change(p(X), q(X)).
t(_) :- p(_).
p(_).
q(_) :- p(_), p(_).
