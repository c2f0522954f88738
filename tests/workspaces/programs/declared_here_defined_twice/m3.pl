q(_) :- nowhere(_), v(_).
