% The programs that table.tsv judges assertions of. Every run of a call with given sizes takes the same number of steps, but for part/4, qsort/2 and
% mem/2.

% n + 1
len([], 0).
len([_|T], N) :- len(T, M), N is M+1.

% n + 1
app([], B, B).
app([X|A], B, [X|C]) :- app(A, B, C).

% n²/2 + 3n/2 + 1
nrev([], []).
nrev([X|A], B) :- nrev(A, C), app(C, [X], B).

% n + 1
down(0).
down(N) :- N > 0, M is N-1, down(M).

% 2^(n+1) - 1
towers(0).
towers(N) :- N > 0, M is N-1, towers(M), towers(M).

% n²/2 + 3n/2 + 1
triangle(0).
triangle(N) :- N > 0, M is N-1, down(M), triangle(M).

% ⌊n/2⌋ + 1 for even lengths; others fail after as many
evens([]).
evens([_,_|T]) :- evens(T).

% 1
one(_).

% n + 2
twice(A) :- one(A), walk(A).
walk([]).
walk([_|T]) :- walk(T).

% n·m + 2n + 1
pairs([], _).
pairs([X|A], B) :- row(B, X), pairs(A, B).
row([], _).
row([_|B], X) :- row(B, X).

% Between 2n + 1 and n²/2 + 5n/2 + 1
qsort([], []).
qsort([X|A], S) :- part(A, X, L, G), qsort(L, L1), qsort(G, G1), app(L1, [X|G1], S).
part([], _, [], []).
part([Y|A], X, [Y|L], G) :- Y =< X, part(A, X, L, G).
part([Y|A], X, L, [Y|G]) :- Y > X, part(A, X, L, G).

% The first solution after one step, all after 2n
mem(X, [X|_]).
mem(X, [_|T]) :- mem(X, T).
