:- ensure_loaded(b).
p(Xs) :- nonvar(Xs), ( Xs = [_|Ys] -> q(Ys) ; true ).
h(_).
