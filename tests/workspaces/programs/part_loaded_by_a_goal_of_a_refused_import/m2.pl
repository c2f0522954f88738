plus(_, _, _) :- one.
one.
