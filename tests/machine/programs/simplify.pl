%% Algebraic simplification by rules, to a fixed point.
% ?- simplify(x*1+0*y+2*3, S).
% ?- simplify((x+0)*(1*y), S).
% ?- simplify(x-x, S).
% ?- simplify(2^3*x^1, S).
% ?- simplify(-(-(x)), S).

simplify(E, S) :- step(E, F), ( E == F -> S = E ; simplify(F, S) ).

step(E, F) :- rule(E, F), !.
step(E, F) :- compound(E), !, E =.. [Op|As], maplist(step, As, Bs), F =.. [Op|Bs].
step(E, E).

rule(E, E) :- atomic(E).
rule(X+0, X).
rule(0+X, X).
rule(X*1, X).
rule(1*X, X).
rule(_*0, 0).
rule(0*_, 0).
rule(X-Y, 0) :- X == Y.
rule(X^1, X).
rule(-(-(X)), X).
rule(E, V) :- E =.. [_,A,B], number(A), number(B), V is E.
