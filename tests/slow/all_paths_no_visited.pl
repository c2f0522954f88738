% asks: I list the routes through my little map without cycles, with 20 crossings it never ends, although there are only 80 streets?
% call: input_map(N, Es), routes(0, N, Es, _)
% predicate: routes/4
% sizes: 6 8 10 12 14
% class: 2^n
% cause: member

% routes(+From, +To, +Edges, -Count)
routes(From, To, Edges, Count) :-
    findall(Path, path(From, To, Edges, Path), Paths),
    length(Paths, Count).

path(X, X, _, [X]).
path(X, Z, Edges, [X|Path]) :-
    member(edge(X, Y), Edges),
    path(Y, Z, Edges, Path).

% crossings 0..N in a row, two streets from each to the next
input_map(N, Es) :-
    N1 is N - 1,
    findall(edge(A, B),
            ( between(0, N1, A), B is A + 1, member(_, [left,right]) ),
            Es).
