% The report says that exceptions are excluded, and these calls throw. Steps are right.
% Move into tests/fixtures once the reports hold.

%! negated(?G).
negated(G) :- \+ G.

%! one_of(+Xs:list).
one_of(Xs) :- Xs = [G|_], once(G).
one_of([]).

%! goal(+G:ground).
goal(G) :- G.

%! then(+N:int).
then(N) :- ( N > 0 -> _ ).

%! open_list(+N:int, -L).
% length(L, -1) throws.
open_list(N, L) :- length(L, N).

%! doubled(+N:int, +A:num).
% 2.0 doubled often enough overflows.
doubled(0, _).
doubled(N, A) :- N > 0, B is A * 2, M is N - 1, doubled(M, B).

item(1).

%! no_list(+L:ground).
% findall/3 throws where its result is given and no list.
no_list(L) :- findall(X, item(X), L).

%! other_type(+N:int, -F).
% The recursive call has another pattern: `[]` is no number.
other_type(0, 0) :- !.
other_type(N, F) :- M is N-1, other_type(M, X), other_type([], Y), F is X+Y.

%! said_to_diverge(+N:int).
% Said to run for ever, but it throws at the second entry.
said_to_diverge(0) :- !.
said_to_diverge(N) :- _ is N-1, said_to_diverge(a).

s --> 1.
t --> [a], nowhere.
