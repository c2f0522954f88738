% asks: Why does my minimum number of coins predicate get so slow for amounts above 30 although there are only three coins?
% call: min_coins(N, _)
% predicate: min_coins/2
% sizes: 14 16 18 20 22
% class: 1.705^n
% cause: min_coins

coin(1).
coin(2).
coin(5).

min_coins(0, 0) :- !.
min_coins(Amount, Min) :-
    findall(Count,
            ( coin(C),
              C =< Amount,
              Rest is Amount - C,
              min_coins(Rest, Count)
            ),
            Counts),
    min_list(Counts, Best),
    Min is Best + 1.
