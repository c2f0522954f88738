:- use_module(rules).
digits([D | T]) --> [D], digits(T).
digits([]) --> [].
p(_) :- digits(_, [1, 2], []).
q(_) :- r(_).
r(_).
