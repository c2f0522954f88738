%% Noughts and crosses by minimax on an almost full board, and Nim.
% ?- best([x,o,x,o,x,e,e,e,o], x, Move, Value).
% ?- best([x,x,e,o,o,e,e,e,e], o, Move, Value).
% ?- winning([3,4,5], Move).
% ?- winning([1,1], Move).
% ?- show([x,o,e,e,x,e,o,e,e]).

line(1,2,3). line(4,5,6). line(7,8,9). line(1,4,7). line(2,5,8). line(3,6,9). line(1,5,9). line(3,5,7).

won(B, P) :- line(I, J, K), nth1(I, B, P), nth1(J, B, P), nth1(K, B, P), !.

other(x, o).
other(o, x).

play(B, P, I, C) :- nth1(I, B, e), set(I, B, P, C).
set(1, [_|Xs], P, [P|Xs]) :- !.
set(I, [X|Xs], P, [X|Ys]) :- J is I-1, set(J, Xs, P, Ys).

best(B, P, Move, Value) :-
    findall(V-I, ( play(B, P, I, C), value(C, P, V) ), Options),
    keysort(Options, Sorted),
    last(Sorted, Value-_),
    memberchk(Value-Move, Options).

value(B, P, 1) :- won(B, P), !.
value(B, _, 0) :- \+ memberchk(e, B), !.
value(B, P, V) :- other(P, Q), best(B, Q, _, W), V is -W.

winning(Heaps, take(I, N)) :-
    foldl([H,A,C]>>(C is A xor H), Heaps, 0, X), X =\= 0,
    nth1(I, Heaps, H), T is H xor X, T < H, N is H-T, !.

show([A,B,C|Rest]) :- !, format("~w~w~w~n", [A,B,C]), show(Rest).
show([]).
