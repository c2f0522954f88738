:- m4:ensure_loaded(part).
:- use_module(m4).
reverse(_, _).
r(_) :- last([a, b], _), t(_).
