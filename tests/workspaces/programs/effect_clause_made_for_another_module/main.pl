% An expansion in another file adds a clause.
:- multifile p/1.
p(1).
t(_) :- p(_), fail.
t(_).
:- use_module(other).
s(_).
