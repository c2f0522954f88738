p(X) :- p(X).
q :- q, r.
r :- fail.
loop([X|T]) :- loop([X,X|T]).
