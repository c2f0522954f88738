% Two ways of taking the multiples of a prime out of a list: by clauses with a cut, and by a condition. The bounds are for lists of which
% nothing is taken out.

sieve1([], []).
sieve1([P|Xs], [P|Ps]) :- divided1(Xs, P, Ys), sieve1(Ys, Ps).

divided1([], _, []).
divided1([X|Xs], P, Ys) :- X mod P =:= 0, !, divided1(Xs, P, Ys).
divided1([X|Xs], P, [X|Ys]) :- divided1(Xs, P, Ys).

sieve2([], []).
sieve2([P|Xs], [P|Ps]) :- divided2(Xs, P, Ys), sieve2(Ys, Ps).

divided2([], _, []).
divided2([X|Xs], P, Ys) :-
    (   X mod P =:= 0 ->
        Ys = Zs
    ;   Ys = [X|Zs]
    ),
    divided2(Xs, P, Zs).
