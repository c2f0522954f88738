% Exercises, weeks 1 to 4
% --- lists ---
my_append([], L, L).
my_append([H|T], L, [H|R]) :- my_append(T, L, R).

my_last([X], X).
my_last([_|T], X) :- my_last(T, X).

my_length([], 0).
my_length([_|T], N) :- my_length(T, N1), N is N1 + 1.

my_member(X, [X|_]).
my_member(X, [_|T]) :- my_member(X, T).

my_reverse([], []).
my_reverse([H|T], R) :- my_reverse(T, RT), my_append(RT, [H], R).

palindrome(L) :- my_reverse(L, L).

element_at(X, [X|_], 1).
element_at(X, [_|T], K) :- K > 1, K1 is K - 1, element_at(X, T, K1).

my_flatten([], []) :- !.
my_flatten([H|T], F) :- !,
    my_flatten(H, FH), my_flatten(T, FT),
    my_append(FH, FT, F).
my_flatten(X, [X]).

compress([], []).
compress([X], [X]).
compress([X,X|T], Z) :- compress([X|T], Z).
compress([X,Y|T], [X|Z]) :- X \= Y, compress([Y|T], Z).

remove_all(_, [], []).
remove_all(X, [X|T], R) :- remove_all(X, T, R).
remove_all(X, [Y|T], [Y|R]) :- X \= Y, remove_all(X, T, R).

sum_list_acc(L, S) :- sum_list_acc(L, 0, S).
sum_list_acc([], S, S).
sum_list_acc([X|Xs], A, S) :- A1 is A + X, sum_list_acc(Xs, A1, S).

max_of([X], X).
max_of([X|Xs], M) :- max_of(Xs, M1), ( X > M1 -> M = X ; M = M1 ).

% --- numbers ---

factorial(0, 1).
factorial(N, F) :- N > 0, N1 is N - 1, factorial(N1, F1), F is N * F1.

fib(0, 0).
fib(1, 1).
fib(N, F) :-
    N > 1,
    A is N - 1, B is N - 2,
    fib(A, FA), fib(B, FB),
    F is FA + FB.

gcd(X, 0, X).
gcd(X, Y, G) :- Y > 0, Z is X mod Y, gcd(Y, Z, G).

hanoi(0, _, _, _).
hanoi(N, A, B, C) :-
    N > 0,
    M is N - 1,
    hanoi(M, A, C, B),
    format("move a disc from ~w to ~w~n", [A, B]),
    hanoi(M, C, B, A).

% --- families ---

parent(anna, bert).
parent(bert, carla).
parent(bert, david).

ancestor(X, Y) :- parent(X, Y).
ancestor(X, Z) :- parent(X, Y), ancestor(Y, Z).

% --- trees ---

insert(X, nil, t(nil, X, nil)).
insert(X, t(L, Y, R), t(L1, Y, R)) :- X =< Y, insert(X, L, L1).
insert(X, t(L, Y, R), t(L, Y, R1)) :- X > Y, insert(X, R, R1).

build(List, Tree) :- build(List, nil, Tree).
build([], T, T).
build([X|Xs], T0, T) :- insert(X, T0, T1), build(Xs, T1, T).

inorder(nil, []).
inorder(t(L, X, R), List) :-
    inorder(L, LL), inorder(R, RL), my_append(LL, [X|RL], List).
