//! The rules of cheaper variants; `goals.rs` has those of rewrites that replace goals by goals. A test checks that each example is the output
//! of its rewrite.

mod goals;

use super::{FIX, Level, Rule, Silence};

pub use goals::*;

/// The setting that disables all of these rules.
const SETTING: &str = "costlens.codeActions.enable";

/// Adds an accumulator to naive reverse.
pub static REVERSE_WITH_ACCUMULATOR: Rule = Rule {
    id: "reverse-with-accumulator",
    level: Level::Fix,
    summary: "A list is reversed by appending to the end of the reversed rest.",
    why: "Each `append/3` traverses the reversed rest, so the cost is quadratic. With an accumulator, the cost is linear.",
    before: super::REVERSED_NAIVELY,
    after: super::REVERSED_WITH_ACCUMULATOR,
    silence: Silence::With(&FIX),
    setting: SETTING,
};

/// Builds lists in front of each other instead of joining them.
pub static DIFFERENCE_LIST: Rule = Rule {
    id: "difference-list",
    level: Level::Fix,
    summary: "Lists built from the parts of a term are joined with `append/3`.",
    why: "At each level, `append/3` traverses the list of the first part. If each list is built directly in front of the next one, no list is traversed.",
    before: "\
:- regtype tree/1.
tree(leaf).
tree(node(L, _, R)) :- tree(L), tree(R).

:- pred labels(T, Xs) : (tree(T), var(Xs)).
labels(leaf, []).
labels(node(L, X, R), Labels) :-
    labels(L, Xs),
    labels(R, Ys),
    append(Xs, [X|Ys], Labels).
",
    after: "\
:- regtype tree/1.
tree(leaf).
tree(node(L, _, R)) :- tree(L), tree(R).

:- pred labels(T, Xs) : (tree(T), var(Xs)).
labels(A, List) :- labels(A, List, []).

labels(leaf, Rest, Rest).
labels(node(L, X, R), Xs, Rest) :-
    labels(L, Xs, [X|Ys]),
    labels(R, Ys, Rest).
",
    silence: Silence::With(&FIX),
    setting: SETTING,
};

/// Builds a list from the front.
pub static LIST_GROWN_AT_ITS_END: Rule = Rule {
    id: "list-grown-at-its-end",
    level: Level::Fix,
    summary: "Elements are appended one by one to the end of an accumulator.",
    why: "Each `append/3` traverses the whole accumulator. If the list is built from the front, it is traversed once.",
    before: "\
%! squares(+Ns:list(int), +Acc:list(int), -Squares) is det.
squares([], Acc, Acc).
squares([N|Ns], Acc, Squares) :-
    S is N*N,
    append(Acc, [S], Acc1),
    squares(Ns, Acc1, Squares).
",
    after: "\
%! squares(+Ns:list(int), +Acc:list(int), -Squares) is det.
squares(A, Acc, List) :- squares(A, Items), append(Acc, Items, List).

squares([], []).
squares([N|Ns], [S|Squares]) :-
    S is N*N,
    squares(Ns, Squares).
",
    silence: Silence::With(&FIX),
    setting: SETTING,
};

/// Carries the last two values of a sequence along.
pub static TWO_VALUES_CARRIED: Rule = Rule {
    id: "two-values-carried",
    level: Level::Fix,
    summary: "Each value of a sequence is computed from the two previous values, which are computed again every time.",
    why: "The cost is exponential. If the last two values are passed as arguments, the cost is linear.",
    before: "\
%! fib(+N:int, -F) is semidet.
fib(0, 0).
fib(1, 1).
fib(N, F) :-
    N > 1,
    N1 is N-1,
    N2 is N-2,
    fib(N1, F1),
    fib(N2, F2),
    F is F1+F2.
",
    after: "\
%! fib(+N:int, -F) is semidet.
fib(0, 0).
fib(1, 1).
fib(N, F) :-
    N > 1,
    fib(N, 0, 1, F).

fib(N, A, B, F) :-
    (   N > 1
    ->  M is N-1,
        C is B+A,
        fib(M, B, C, F)
    ;   F = B
    ).
",
    silence: Silence::With(&FIX),
    setting: SETTING,
};

/// Computes a power by the arithmetic function.
pub static POWER: Rule = Rule {
    id: "power",
    level: Level::Fix,
    summary: "A power is computed by repeated multiplication, once per unit of the exponent.",
    why: "The function `^` needs about one multiplication per binary digit of the exponent.",
    before: "\
%! pow(+X:int, +N:int, -P) is semidet.
pow(_, 0, 1).
pow(X, N, P) :-
    N > 0,
    M is N-1,
    pow(X, M, Q),
    P is Q*X.
",
    after: "\
%! pow(+X:int, +N:int, -P) is semidet.
pow(_, 0, 1).
pow(X, N, P) :-
    N > 0,
    P is X^N.
",
    silence: Silence::With(&FIX),
    setting: SETTING,
};

/// Merges two clauses that compute the same result.
pub static COMPUTE_ONCE: Rule = Rule {
    id: "compute-once",
    level: Level::Fix,
    summary: "Two clauses compute the same result, and then apply opposite tests to it.",
    why: "If the test of the first clause fails, the second clause repeats the computation. In a recursion, the work doubles at each level.",
    before: "\
%! largest(+Xs:list(int), -M:int) is semidet.
largest([X], X).
largest([X|Xs], M) :- largest(Xs, M), M >= X.
largest([X|Xs], X) :- largest(Xs, M), M < X.
",
    after: "\
%! largest(+Xs:list(int), -M:int) is semidet.
largest([X], X).
largest([X|Xs], R) :-
    largest(Xs, M),
    (   M >= X
    ->  R = M
    ;   R = X
    ).
",
    silence: Silence::With(&FIX),
    setting: SETTING,
};

/// Replaces a loop over indices.
pub static WALK_INSTEAD_OF_INDEX: Rule = Rule {
    id: "walk-instead-of-index",
    level: Level::Fix,
    summary: "A loop counts the indices of a list and looks up the element at each index.",
    why: "Each access traverses the list from its beginning, so the cost is quadratic. A loop over the elements traverses the list once.",
    before: "\
:- module(sums, [total/2]).

%! total(+Xs:list(int), -S:int) is det.
total(Xs, S) :- length(Xs, N), sum(1, N, Xs, 0, S).

sum(I, N, _, S, S) :- I > N.
sum(I, N, Xs, S0, S) :-
    I =< N,
    nth1(I, Xs, X),
    S1 is S0+X,
    J is I+1,
    sum(J, N, Xs, S1, S).
",
    after: "\
:- module(sums, [total/2]).

%! total(+Xs:list(int), -S:int) is det.
total(Xs, S) :- length(Xs, N), sum(1, N, Xs, 0, S).

sum(I, N, _, S, S) :- I > N.
sum(I, N, Xs, S0, S) :-
    I =< N,
    Xs = [X|Rest],
    S1 is S0+X,
    J is I+1,
    sum(J, N, Rest, S1, S).
",
    silence: Silence::With(&FIX),
    setting: SETTING,
};

/// Merges two clauses with complementary tests.
pub static DECIDE_ONCE: Rule = Rule {
    id: "decide-once",
    level: Level::Fix,
    summary: "Two clauses begin with complementary tests.",
    why: "The first clause leaves a choice point for the second clause, which repeats the test.",
    before: "\
%! small(+Xs:list(int), +K:int, -Ys) is det.
small([], _, []).
small([X|Xs], K, [X|Ys]) :- X =< K, small(Xs, K, Ys).
small([X|Xs], K, Ys) :- X > K, small(Xs, K, Ys).
",
    after: "\
%! small(+Xs:list(int), +K:int, -Ys) is det.
small([], _, []).
small([X|Xs], K, R) :-
    (   X =< K
    ->  R = [X|Ys],
        small(Xs, K, Ys)
    ;   small(Xs, K, R)
    ).
",
    silence: Silence::With(&FIX),
    setting: SETTING,
};

/// Carries a value along in an accumulator.
pub static ACCUMULATE: Rule = Rule {
    id: "accumulate",
    level: Level::Fix,
    summary: "A sum, product, minimum or maximum is computed after the recursive call returns.",
    why: "Each call keeps an environment until the recursive call returns. With an accumulator, the recursive call is the last goal, so no environment is kept.",
    before: "\
%! sum(+Xs:list(int), -S:int) is det.
sum([], 0).
sum([X|Xs], S) :-
    sum(Xs, S0),
    S is S0+X.
",
    after: "\
%! sum(+Xs:list(int), -S:int) is det.
sum(Xs, S) :- sum(Xs, 0, S).

sum([], Acc, Acc).
sum([X|Xs], Acc, S) :-
    Acc1 is Acc+X,
    sum(Xs, Acc1, S).
",
    silence: Silence::With(&FIX),
    setting: SETTING,
};

/// Computes a number instead of searching for it.
pub static COMPUTED_INSTEAD_OF_SEARCHED: Rule = Rule {
    id: "computed-instead-of-searched",
    level: Level::Fix,
    summary: "Numbers are enumerated to find one whose value is already known.",
    why: "The number can be computed directly, and `between/3` only tests whether it is in the range.",
    before: "\
%! third(+A:int, +B:int, +N:int, -C:int) is semidet.
third(A, B, N, C) :- between(1, N, C), C =:= A+B.
",
    after: "\
%! third(+A:int, +B:int, +N:int, -C:int) is semidet.
third(A, B, N, C) :- C is A+B, between(1, N, C).
",
    silence: Silence::With(&FIX),
    setting: SETTING,
};

/// Hoists goals out of a loop.
pub static COMPUTED_BEFORE_THE_LOOP: Rule = Rule {
    id: "computed-before-the-loop",
    level: Level::Fix,
    summary: "Each iteration of a loop computes the same result from an argument that does not change.",
    why: "If the result is computed before the loop and passed as an argument, it is computed only once.",
    before: "\
%! shifted(+Xs:list(int), +Ds:list(int), -Ys) is det.
shifted([], _, []).
shifted([X|Xs], Ds, [Y|Ys]) :-
    sum_list(Ds, S),
    Y is X+S,
    shifted(Xs, Ds, Ys).
",
    after: "\
%! shifted(+Xs:list(int), +Ds:list(int), -Ys) is det.
shifted(Xs, Ds, Ys) :- sum_list(Ds, S), shifted(Xs, Ds, Ys, S).

shifted([], _, [], _).
shifted([X|Xs], Ds, [Y|Ys], S) :-
    Y is X+S,
    shifted(Xs, Ds, Ys, S).
",
    silence: Silence::With(&FIX),
    setting: SETTING,
};

/// Reuses the result of an earlier goal.
pub static SAME_GOAL_TWICE: Rule = Rule {
    id: "same-goal-twice",
    level: Level::Fix,
    summary: "A goal is called again with the same inputs.",
    why: "The second call returns the same result as the first.",
    before: "\
%! share(+Xs:list(int), -P:int) is det.
share(Xs, P) :- sum_list(Xs, A), B is A//2, sum_list(Xs, C), P is C-B.
",
    after: "\
%! share(+Xs:list(int), -P:int) is det.
share(Xs, P) :- sum_list(Xs, A), B is A//2, C = A, P is C-B.
",
    silence: Silence::With(&FIX),
    setting: SETTING,
};

/// Replaces a predicate by a cheaper one with the same results.
pub static EQUAL_PREDICATE: Rule = Rule {
    id: "equal-predicate",
    level: Level::Fix,
    summary: "A predicate is called although another predicate computes the same result at a lower cost.",
    why: "The library computes lengths and reversals: `length/2` takes no step per element, and `reverse/2` takes one.",
    before: "\
%! size(+Xs:list(atom), -N:int) is det.
size(Xs, N) :- len(Xs, N).

len([], 0).
len([_|Xs], N) :- len(Xs, M), N is M+1.
",
    after: "\
%! size(+Xs:list(atom), -N:int) is det.
size(Xs, N) :- length(Xs, N).

len([], 0).
len([_|Xs], N) :- len(Xs, M), N is M+1.
",
    silence: Silence::With(&FIX),
    setting: SETTING,
};
