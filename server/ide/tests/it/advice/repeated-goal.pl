%%% says: a loop that hands on what the goal is made of
%! above(+Xs:list(int), +Ds:list(int), -Ys) is det.
above([], _, []).
above([X|Xs], Ds, [Y|Ys]) :- weight(Ds, W), Y is X+W, above(Xs, Ds, Ys).

%! weight(+Ds:list(int), -W:int) is det.
weight(Ds, W) :- weight(Ds, 0, W).

weight([], W, W).
weight([D|Ds], W0, W) :- W1 is W0+D*D, weight(Ds, W1, W).
%%% hint
% 3: `weight(Ds, W)` computes the same in each round of `above/3`: computed before and handed on it saves m + 2 steps a round (m = length(Ds))
%%% says: inside of a branch, what has been computed before the condition
%! choose(+Xs:list(int), -R) is det.
choose(Xs, R) :-
    weight(Xs, W),
    (   W > 9
    ->  weight(Xs, V),
        R is V-9
    ;   R = W
    ).

%! weight(+Ds:list(int), -W:int) is det.
weight(Ds, W) :- weight(Ds, 0, W).

weight([], W, W).
weight([D|Ds], W0, W) :- W1 is W0+D*D, weight(Ds, W1, W).
%%% hint
% 5: `weight(Xs, V)` computes what `weight(Xs, W)` has: use `W`, and save n + 2 steps (n = length(Xs))
%%% says: a predicate of the library, without a declaration that all calls have integers
scaled([], _, []).
scaled([X|Xs], Ds, [Y|Ys]) :- sum_list(Ds, S), Y is X*S, scaled(Xs, Ds, Ys).

%! main is det.
main :- scaled([1,2], [3,4], Ys), print(Ys).
%%% hint
% 2: `sum_list(Ds, S)` computes the same in each round of `scaled/3`: computed before and handed on it saves m + 2 steps a round (m = length(Ds))
%%% silent: the loop changes what the goal is made of
%! above(+Xs:list(int), +Ds:list(int), -Ys) is det.
above([], _, []).
above([X|Xs], Ds, [Y|Ys]) :- weight(Ds, 0, W), Y is X+W, above(Xs, [X|Ds], Ys).

%! weight(+Ds:list(int), +Acc:int, -W:int) is det.
weight([], W, W).
weight([D|Ds], W0, W) :- W1 is W0+D*D, weight(Ds, W1, W).
%%% silent: the goal is no function of its arguments
%! above(+Xs:list(int), +Ds:list(int), -Ys) is det.
above([], _, []).
above([X|Xs], Ds, [Y|Ys]) :- noise(Ds, 0, W), Y is X+W, above(Xs, Ds, Ys).

%! noise(+Ds:list(int), +Acc:int, -W:int) is det.
noise([], W, W).
noise([D|Ds], W0, W) :- W1 is W0+random(D), noise(Ds, W1, W).
%%% silent: the inputs have variables
%! above(+Xs:list(int), +Ds:list, -Ys) is nondet.
above([], _, []).
above([X|Xs], Ds, [Y|Ys]) :- turned(Ds, [], W), W = [X|_], Y = W, above(Xs, Ds, Ys).

%! turned(+Ds:list, +Acc:list, -W) is det.
turned([], W, W).
turned([D|Ds], W0, W) :- turned(Ds, [D|W0], W).
%%% silent: a branch that the other one excludes
%! choose(+Xs:list(int), +K:int, -R) is det.
choose(Xs, K, R) :-
    (   K > 9
    ->  weight(Xs, 0, R)
    ;   weight(Xs, 0, V),
        R is V-9
    ).

%! weight(+Ds:list(int), +Acc:int, -W:int) is det.
weight([], W, W).
weight([D|Ds], W0, W) :- W1 is W0+D*D, weight(Ds, W1, W).
%%% silent: a step or two are not worth an argument
%! above(+Xs:list(int), +D:int, -Ys) is det.
above([], _, []).
above([X|Xs], D, [Y|Ys]) :- twice(D, W), Y is X+W, above(Xs, D, Ys).

%! twice(+D:int, -W:int) is det.
twice(D, W) :- W is 2*D.
%%% silent: the quick fix says it
%! shifted(+Xs:list(int), +Ds:list(int), -Ys) is det.
shifted([], _, []).
shifted([X|Xs], Ds, [Y|Ys]) :-
    sum_list(Ds, S),
    Y is X+S,
    shifted(Xs, Ds, Ys).
