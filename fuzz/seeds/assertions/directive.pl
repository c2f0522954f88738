:- pred p(X,Y) : list(X) + cost(ub,steps,10*length(X)^2+5) # "doc".
:- trust pred q(+int, -).
:- entry r(ground, var).
p([],_).
