%%% applies: local to a module, other places of arguments
:- module(m, [total/2]).

%! total(+Xs:list(int), -S:int) is det.
total(Xs, S) :- length(Xs, N), sum(S, 0, Xs, 1, N).

sum(S, S0, Xs, I, N) :-
    I =< N,
    nth1(I, Xs, X), % the next one
    S1 is S0+X,
    J is 1+I,
    sum(S, S1, Xs, J, N).
sum(S, S, _, I, N) :- I > N.
%%% to
:- module(m, [total/2]).

%! total(+Xs:list(int), -S:int) is det.
total(Xs, S) :- length(Xs, N), sum(S, 0, Xs, 1, N).

sum(S, S0, Xs, I, N) :-
    I =< N,
    Xs = [X|Rest], % the next one
    S1 is S0+X,
    J is 1+I,
    sum(S, S1, Rest, J, N).
sum(S, S, _, I, N) :- I > N.
%%% applies: others may call the loop, which is not the last predicate; from 0
%! total(+Xs:list(int), -S:int) is det.
total(Xs, S) :- length(Xs, N), total(0, N, Xs, 0, S).

total(I, N, _, S, S) :- I >= N.
total(I, N, Xs, S0, S) :-
    I < N,
    nth0(I, Xs, X),
    S1 is S0+X*X,
    J is I+1,
    total(J, N, Xs, S1, S).

%! other(+X:int, -Y:int) is det.
other(X, Y) :- Y is X+1.
%%% to
%! total(+Xs:list(int), -S:int) is det.
total(Xs, S) :- length(Xs, N), total_walk(0, N, Xs, 0, S).

total(I, N, _, S, S) :- I >= N.
total(I, N, Xs, S0, S) :-
    I < N,
    nth0(I, Xs, X),
    S1 is S0+X*X,
    J is I+1,
    total(J, N, Xs, S1, S).

total_walk(I, N, _, S, S) :- I >= N.
total_walk(I, N, Xs, S0, S) :-
    I < N,
    Xs = [X|Rest],
    S1 is S0+X*X,
    J is I+1,
    total_walk(J, N, Rest, S1, S).

%! other(+X:int, -Y:int) is det.
other(X, Y) :- Y is X+1.
%%% forbidden: it begins at the second element
%! total(+Xs:list(int), -S:int) is semidet.
total(Xs, S) :- length(Xs, N), total(2, N, Xs, 0, S).

total(I, N, _, S, S) :- I > N.
total(I, N, Xs, S0, S) :- I =< N, nth1(I, Xs, X), S1 is S0+X, J is I+1, total(J, N, Xs, S1, S).
%%% forbidden: it begins where it is told
%! total(+Xs:list(int), +I:int, -S:int) is semidet.
total(Xs, I, S) :- length(Xs, N), total(I, N, Xs, 0, S).

total(I, N, _, S, S) :- I > N.
total(I, N, Xs, S0, S) :- I =< N, nth1(I, Xs, X), S1 is S0+X, J is I+1, total(J, N, Xs, S1, S).
%%% forbidden: nth1/3 from 0
%! total(+Xs:list(int), -S:int) is semidet.
total(Xs, S) :- length(Xs, N), total(0, N, Xs, 0, S).

total(I, N, _, S, S) :- I > N.
total(I, N, Xs, S0, S) :- I =< N, nth1(I, Xs, X), S1 is S0+X, J is I+1, total(J, N, Xs, S1, S).
%%% forbidden: the list may be partial
%! total(?Xs, -S) is nondet.
total(Xs, S) :- total(1, 3, Xs, 0, S).

total(I, N, _, S, S) :- I > N.
total(I, N, Xs, S0, S) :- I =< N, nth1(I, Xs, X), S1 is S0+X, J is I+1, total(J, N, Xs, S1, S).
%%% forbidden: an element is left out
%! total(+Xs:list(int), -S:int) is semidet.
total(Xs, S) :- length(Xs, N), total(1, N, Xs, 0, S).

total(I, N, _, S, S) :- I > N.
total(I, N, Xs, S0, S) :- I =< N, nth1(I, Xs, X), X > 0, S1 is S0+X, J is I+1, total(J, N, Xs, S1, S).
total(I, N, Xs, S0, S) :- I =< N, S0 > 5, J is I+1, total(J, N, Xs, S0, S).
%%% forbidden: the element is looked up behind the recursive call
%! total(+Xs:list(int), -S:int) is semidet.
total(Xs, S) :- length(Xs, N), total(1, N, Xs, S).

total(I, N, _, 0) :- I > N.
total(I, N, Xs, S) :- I =< N, J is I+1, total(J, N, Xs, S0), nth1(I, Xs, X), S is S0+X.
