:- use_module(library(record)).
:- record point(x = 0, y = 0, tag = none).
t(_) :- default_point(P), point_x(P, _), set_tag_of_point(a, P, Q), point_tag(Q, a).
u(_) :- make_point([y(3), tag(c)], P), point_y(P, 3).
v(_) :- make_point([y(3), other(c)], _, Rest), Rest = [_].
w(_) :- default_point(P), point_data(y, P, 0).
