%% Cuts, conditions, negation, soft cuts.
% ?- max_of(3, 7, M).
% ?- max_of(7, 3, M).
% ?- classify(-3, C).
% ?- classify(0, C).
% ?- classify(X, C).
% ?- p(X).
% ?- p_cut(X).
% ?- ( p(X), X > 1 -> true ; X = none ).
% ?- ( p(X) *-> Y = yes(X) ; Y = no ).
% ?- ( fail *-> Y = yes ; Y = no ).
% ?- \+ p(5), \+ \+ p(1).
% ?- once(p(X)), ignore(fail), ignore(p(Y)).
% ?- forall(p(X), X < 4).
% ?- call((p(X), !)).
% ?- G = (p(X), X > 1), call(G).
% ?- call(p, X), X > 2.
% ?- call(plus(1), 2, X).
% ?- a(X, Y).
% ?- local_cut(X).
% ?- not(p(9)).
% ?- between(1, 3, X), between(X, 3, Y), X + Y =:= 4.
% ?- between(1, inf, X), X * X > 50, !.
% ?- repeat_until(3, N).
% ?- ( X = 1 ; X = 2 ; X = 3 ), X \= 2.
% ?- ( p(X), X > 5 -> true ).
% ?- catch(( p(X), X > 1, ! ), _, true).

p(1). p(2). p(3).

p_cut(X) :- p(X), X >= 2, !.
p_cut(9).

max_of(X, Y, X) :- X >= Y, !.
max_of(_, Y, Y).

classify(X, unbound) :- var(X), !.
classify(X, C) :-
    (   X < 0
    ->  C = negative
    ;   X =:= 0
    ->  C = zero
    ;   C = positive
    ).

a(X, Y) :- p(X), ( X =:= 2 -> ! ; true ), p(Y), Y > X.
a(none, none).

local_cut(X) :- ( p(X), call(!), X > 1 ; X = alternative ).

repeat_until(K, N) :- nb_setval(tries, 0), repeat, nb_getval(tries, T), N is T+1, nb_setval(tries, N), N >= K, !.
