% asks: Searching for right triangles up to 500 is awfully slow, how would you write it?
% call: triangles(N, _)
% predicate: triangles/2
% sizes: 20 40 80 120 160
% class: n^3
% cause: between

triangles(Max, Triangles) :-
    findall(A-B-C,
            ( between(1, Max, A),
              between(1, Max, B),
              A < B,
              between(1, Max, C),
              C * C =:= A * A + B * B
            ),
            Triangles).
