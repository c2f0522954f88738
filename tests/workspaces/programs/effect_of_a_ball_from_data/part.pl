p(1).
:- B = stop, throw(B).
p(2).
