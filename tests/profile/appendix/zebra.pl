% Who owns the zebra, and who drinks water?
% predicates: 5
% goal: zebra(_, _, _)
zebra(Owner, Drinker, Houses) :-
    Houses = [house(_, norwegian, _, _, _), _, house(_, _, _, milk, _), _, _],
    in(house(red, english, _, _, _), Houses),
    in(house(green, _, _, coffee, _), Houses),
    in(house(_, spanish, dog, _, _), Houses),
    in(house(_, ukrainian, _, tea, _), Houses),
    right_of(house(green, _, _, _, _), house(ivory, _, _, _, _), Houses),
    in(house(_, _, snails, _, oldgold), Houses),
    in(house(yellow, _, _, _, kools), Houses),
    near(house(_, _, _, _, chesterfield), house(_, _, fox, _, _), Houses),
    near(house(_, _, _, _, kools), house(_, _, horse, _, _), Houses),
    in(house(_, _, _, juice, luckystrike), Houses),
    in(house(_, japanese, _, _, parliament), Houses),
    near(house(_, norwegian, _, _, _), house(blue, _, _, _, _), Houses),
    in(house(_, Owner, zebra, _, _), Houses),
    in(house(_, Drinker, _, water, _), Houses).

in(X, [X|_]).
in(X, [_|Xs]) :- in(X, Xs).

right_of(A, B, [B, A|_]).
right_of(A, B, [_|Xs]) :- right_of(A, B, Xs).

near(A, B, Xs) :- right_of(A, B, Xs).
near(A, B, Xs) :- left_of(A, B, Xs).

left_of(A, B, Xs) :- right_of(B, A, Xs).
