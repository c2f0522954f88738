%% A knight's tour on a small board, by Warnsdorff's rule.
% ?- tour(5, T).
% ?- tour(3, T).
% ?- findall(X/Y, move(5, 1/1, X/Y), L).

tour(N, Tour) :- Squares is N*N, tour(Squares, N, [1/1], Tour), !.

tour(Squares, _, Path, Tour) :- length(Path, Squares), !, reverse(Path, Tour).
tour(Squares, N, [At|Path], Tour) :-
    findall(K-To, ( move(N, At, To), \+ memberchk(To, [At|Path]), exits(N, To, [At|Path], K) ), Options),
    keysort(Options, Sorted),
    member(_-To, Sorted),
    tour(Squares, N, [To,At|Path], Tour).

exits(N, At, Path, K) :- aggregate_all(count, ( move(N, At, To), \+ memberchk(To, Path) ), K).

move(N, X/Y, U/V) :-
    member(DX/DY, [1/2,2/1,2/(-1),1/(-2),(-1)/(-2),(-2)/(-1),(-2)/1,(-1)/2]),
    U is X+DX, U >= 1, U =< N,
    V is Y+DY, V >= 1, V =< N.
