% Who owns the zebra?
bench(N) :- times(N), zebra(_), fail.
bench(_).

zebra(Owner) :-
    Houses = [house(_, norwegian, _, _, _), _, house(_, _, _, milk, _), _, _],
    in(house(red, english, _, _, _), Houses),
    in(house(green, _, _, coffee, _), Houses),
    in(house(_, spanish, dog, _, _), Houses),
    in(house(_, ukrainian, _, tea, _), Houses),
    right_of(house(green, _, _, _, _), house(ivory, _, _, _, _), Houses),
    in(house(_, _, snails, _, winston), Houses),
    in(house(yellow, _, _, _, kools), Houses),
    next_to(house(_, _, _, _, chesterfield), house(_, _, fox, _, _), Houses),
    next_to(house(_, _, _, _, kools), house(_, _, horse, _, _), Houses),
    in(house(_, _, _, juice, luckies), Houses),
    in(house(_, japanese, _, _, parliaments), Houses),
    next_to(house(_, norwegian, _, _, _), house(blue, _, _, _, _), Houses),
    in(house(_, Owner, zebra, _, _), Houses).

in(X, [X|_]).
in(X, [_|Xs]) :- in(X, Xs).

right_of(A, B, [B, A|_]).
right_of(A, B, [_|Xs]) :- right_of(A, B, Xs).

next_to(A, B, Xs) :- right_of(A, B, Xs).
next_to(A, B, Xs) :- right_of(B, A, Xs).

% N solutions.
times(N) :- N > 0.
times(N) :- N > 1, M is N-1, times(M).
