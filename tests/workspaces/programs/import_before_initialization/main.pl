:- use_module(m1, [plus/3]).

r(_) :- plus(1, 2, _).
