% asks: Towers of Hanoi with 30 disks does not finish, can Prolog not do this?
% call: hanoi(N, left, right, middle, _)
% predicate: hanoi/5
% sizes: 12 14 16 18 20
% class: 2^n
% cause: hanoi

hanoi(0, _, _, _, 0) :- !.
hanoi(N, From, To, Via, Moves) :-
    M is N - 1,
    hanoi(M, From, Via, To, Moves1),
    hanoi(M, Via, To, From, Moves2),
    Moves is Moves1 + 1 + Moves2.
