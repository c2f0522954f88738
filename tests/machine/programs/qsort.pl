%% Quicksort with difference lists.
% ?- qsort([27,74,17,33,94,18,46,83,65,2,32,53,28,85,99,47,28,82,6,11], S).
% ?- qsort([], S).
% ?- qsort([b,a], S).
% ?- qsort([3,X], S).

qsort(Xs, Ys) :- qsort(Xs, Ys, []).

qsort([], R, R).
qsort([X|Xs], R, R0) :-
    split(Xs, X, Small, Large),
    qsort(Large, R1, R0),
    qsort(Small, R, [X|R1]).

split([], _, [], []).
split([X|Xs], P, [X|Ss], Ls) :- X =< P, !, split(Xs, P, Ss, Ls).
split([X|Xs], P, Ss, [X|Ls]) :- split(Xs, P, Ss, Ls).
