:- ensure_loaded(a).
q(Xs) :- nonvar(Xs), h(_), ( Xs = [_|Ys] -> p(Ys) ; true ).
