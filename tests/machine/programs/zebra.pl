%% Who owns the zebra?
% ?- zebra(Owner), water(Drinker).

houses([h(_,norwegian,_,_,_),_,h(_,_,_,milk,_),_,_]).

right_of(X, Y, [Y,X|_]).
right_of(X, Y, [_|Zs]) :- right_of(X, Y, Zs).

beside(X, Y, L) :- right_of(X, Y, L).
beside(X, Y, L) :- right_of(Y, X, L).

in(X, [X|_]).
in(X, [_|Ys]) :- in(X, Ys).

solve(Hs) :-
    houses(Hs),
    in(h(red,english,_,_,_), Hs),
    in(h(green,_,_,coffee,_), Hs),
    in(h(_,spanish,dog,_,_), Hs),
    in(h(_,ukrainian,_,tea,_), Hs),
    right_of(h(green,_,_,_,_), h(ivory,_,_,_,_), Hs),
    in(h(_,_,snails,_,winston), Hs),
    in(h(yellow,_,_,_,kools), Hs),
    beside(h(_,_,_,_,chesterfield), h(_,_,fox,_,_), Hs),
    beside(h(_,_,_,_,kools), h(_,_,horse,_,_), Hs),
    in(h(_,_,_,juice,lucky), Hs),
    in(h(_,japanese,_,_,parliament), Hs),
    beside(h(_,norwegian,_,_,_), h(blue,_,_,_,_), Hs).

zebra(Owner) :- solve(Hs), in(h(_,Owner,zebra,_,_), Hs).
water(Drinker) :- solve(Hs), in(h(_,Drinker,_,water,_), Hs).
