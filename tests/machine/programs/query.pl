%% Countries of similar density: a join with arithmetic.
% ?- query(A, DA, B, DB).
% ?- setof(D-C, density(C, D), L).

query(C1, D1, C2, D2) :-
    density(C1, D1), density(C2, D2),
    D1 > D2, 20*D1 < 21*D2.

density(C, D) :- people(C, P), area(C, A), D is P*100//A.

people(china, 8250). people(india, 5863). people(ussr, 2521). people(usa, 2119). people(indonesia, 1276).
people(japan, 1097). people(brazil, 1042). people(bangladesh, 750). people(pakistan, 682). people(w_germany, 620).
people(nigeria, 613). people(mexico, 581). people(uk, 559). people(italy, 554). people(france, 525).

area(china, 3380). area(india, 1139). area(ussr, 8708). area(usa, 3609). area(indonesia, 570).
area(japan, 148). area(brazil, 3288). area(bangladesh, 55). area(pakistan, 311). area(w_germany, 96).
area(nigeria, 373). area(mexico, 764). area(uk, 86). area(italy, 116). area(france, 213).
