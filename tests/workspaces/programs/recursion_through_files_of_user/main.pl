:- ensure_loaded(a).
t(_) :- p([x, y, z]).
