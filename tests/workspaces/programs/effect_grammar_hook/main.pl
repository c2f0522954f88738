:- use_module(rules).
twice(_) --> one, one.
one --> [].
p(_) :- twice(_, [], []).
q(_) :- r(_).
r(_).
