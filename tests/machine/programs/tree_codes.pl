%% Huffman codes and run lengths.
% ?- huffman([a,b,r,a,c,a,d,a,b,r,a], Codes).
% ?- huffman([x], Codes).
% ?- encode([a,b,a], [a-[0],b-[1]], Bits).
% ?- frequencies([c,a,b,a], F).

frequencies(Xs, F) :- msort(Xs, S), clumps(S, F).
clumps([], []).
clumps([X|Xs], [N-X|F]) :- clump(Xs, X, 1, N, Rest), clumps(Rest, F).
clump([X|Xs], X, N0, N, Rest) :- !, N1 is N0+1, clump(Xs, X, N1, N, Rest).
clump(Rest, _, N, N, Rest).

huffman(Xs, Codes) :-
    frequencies(Xs, F),
    findall(N-leaf(X), member(N-X, F), Leaves),
    keysort(Leaves, Sorted),
    combine(Sorted, Tree),
    findall(X-C, code(Tree, X, C), Codes0),
    msort(Codes0, Codes).

combine([_-T], T) :- !.
combine([N-A,M-B|Rest], T) :- K is N+M, keysort([K-node(A,B)|Rest], Sorted), combine(Sorted, T).

code(leaf(X), X, []).
code(node(A,_), X, [0|C]) :- code(A, X, C).
code(node(_,B), X, [1|C]) :- code(B, X, C).

encode([], _, []).
encode([X|Xs], Codes, Bits) :- memberchk(X-C, Codes), append(C, Rest, Bits), encode(Xs, Codes, Rest).
