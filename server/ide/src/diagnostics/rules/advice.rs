//! The rules of hints without an edit: causes of a high cost, which a person may change or accept.

use super::{DISABLED, FIX, Level, REVERSED_NAIVELY, REVERSED_WITH_ACCUMULATOR, Rule, Silence};

/// A call that contributes most of a cost.
pub static DOMINATING_CALL: Rule = Rule {
    id: "dominating-call",
    level: Level::Hint,
    summary: "One call in the clauses of a predicate causes most of its cost.",
    why: "This call is the place to start optimising. The hint appears if the cost is at least quadratic, and if the call is repeated or is one of several calls with growing costs.",
    before: REVERSED_NAIVELY,
    after: REVERSED_WITH_ACCUMULATOR,
    silence: Silence::ById,
    setting: DISABLED,
};

/// A choice point that leads to no further solution.
pub static LEFT_CHOICE_POINT: Rule = Rule {
    id: "left-choice-point",
    level: Level::Hint,
    summary: "A predicate has at most one solution, but leaves a choice point.",
    why: "Clause indexing cannot exclude a later clause, so the choice point is kept until that clause is tried and fails. Until then, memory is not \
          reclaimed, and last-call optimisation does not apply.",
    before: "\
%! down(+N:nat) is det.
down(0).
down(N) :- N > 0, M is N-1, down(M).
",
    after: "\
%! down(+N:nat) is det.
down(N) :- N > 0, M is N-1, down(M).
down(0).
",
    silence: Silence::ById,
    setting: DISABLED,
};

/// An environment at each level of a recursion.
pub static NON_TAIL_RECURSION: Rule = Rule {
    id: "non-tail-recursion",
    level: Level::Hint,
    summary: "A recursion keeps an environment at each level for a goal that could run before the recursive call.",
    why: "The recursive call is not the last goal, so the stack grows with the size of the input. The hint does not appear if `accumulate` offers the change.",
    before: "\
%! total(+Xs:list(number), -S) is det.
total([], 0).
total([X|Xs], S) :- total(Xs, S0), S is S0+X.
",
    after: "\
%! total(+Xs:list(number), -S) is det.
total(Xs, S) :- total(Xs, 0, S).

total([], S, S).
total([X|Xs], S0, S) :- S1 is S0+X, total(Xs, S1, S).
",
    silence: Silence::ById,
    setting: DISABLED,
};

/// A goal whose result has already been computed.
pub static REPEATED_GOAL: Rule = Rule {
    id: "repeated-goal",
    level: Level::Hint,
    summary: "A goal computes a known result again: in the same clause, or in each iteration of a loop.",
    why: "The result of the goal depends only on its inputs, and the inputs are the same. The hint does not appear if a quick fix offers the change.",
    before: "\
%! above(+Xs:list(int), +Ds:list(int), -Ys) is det.
above([], _, []).
above([X|Xs], Ds, [Y|Ys]) :- weight(Ds, W), Y is X+W, above(Xs, Ds, Ys).

%! weight(+Ds:list(int), -W:int) is det.
weight(Ds, W) :- weight(Ds, 0, W).

weight([], W, W).
weight([D|Ds], W0, W) :- W1 is W0+D*D, weight(Ds, W1, W).
",
    after: "\
%! above(+Xs:list(int), +Ds:list(int), -Ys) is det.
above(Xs, Ds, Ys) :- weight(Ds, W), each_above(Xs, W, Ys).

each_above([], _, []).
each_above([X|Xs], W, [Y|Ys]) :- Y is X+W, each_above(Xs, W, Ys).

%! weight(+Ds:list(int), -W:int) is det.
weight(Ds, W) :- weight(Ds, 0, W).

weight([], W, W).
weight([D|Ds], W0, W) :- W1 is W0+D*D, weight(Ds, W1, W).
",
    silence: Silence::ById,
    setting: DISABLED,
};

/// An exponential cost that tabling would make polynomial.
pub static TABLING: Rule = Rule {
    id: "tabling",
    level: Level::Hint,
    summary: "A predicate repeats the same calls, so its cost is exponential; with tabling, it would be polynomial.",
    why: "A call leads to only a few distinct calls. With tabling, each distinct call is computed once; the bound is the number of distinct calls times the cost of one.",
    before: "\
%! paths(+X:nat, +Y:nat, -N:int) is det.
paths(X, Y, N) :- X > 0, Y > 0, A is X-1, B is Y-1, paths(A, Y, K), paths(X, B, L), N is K+L.
paths(X, 0, 1) :- X > 0.
paths(0, _, 1).
",
    after: "\
:- table paths/3.

%! paths(+X:nat, +Y:nat, -N:int) is det.
paths(X, Y, N) :- X > 0, Y > 0, A is X-1, B is Y-1, paths(A, Y, K), paths(X, B, L), N is K+L.
paths(X, 0, 1) :- X > 0.
paths(0, _, 1).
",
    silence: Silence::ById,
    setting: DISABLED,
};

/// A declaration that would make a cheaper variant available.
pub static DECLARE_AND_REWRITE: Rule = Rule {
    id: "declare-and-rewrite",
    level: Level::Fix,
    summary: "A declaration of a predicate's calls would enable a cheaper variant, and is written together with it.",
    why: "One condition of the variant is not proved, but a mode line can state it, and no known call contradicts it. Only the author of the program knows whether all calls satisfy the condition, so `costlens fix --apply` leaves the clauses alone.",
    before: "\
seen(X, Xs) :- member(X, Xs), !.
",
    after: "\
%! seen(?X, +Xs:list).
seen(X, Xs) :- memberchk(X, Xs), !.
",
    silence: Silence::With(&FIX),
    setting: "costlens.codeActions.enable",
};

/// A condition of a cheaper variant that a declaration can state.
pub static DECLARE_FOR_VARIANT: Rule = Rule {
    id: "declare-for-variant",
    level: Level::Fix,
    summary: "A declaration of a predicate's calls would enable a cheaper variant.",
    why: "One condition of the variant is not proved, but a mode line can state it. Only the author of the program knows whether all calls satisfy the condition.",
    before: "\
turned([], []).
turned([X|Xs], Ys) :- turned(Xs, Zs), append(Zs, [X], Ys).
",
    after: "\
%! turned(+Xs:list, -Ys) is det.
turned([], []).
turned([X|Xs], Ys) :- turned(Xs, Zs), append(Zs, [X], Ys).
",
    silence: Silence::With(&FIX),
    setting: "costlens.codeActions.enable",
};

/// A condition of a cheaper variant that no declaration can state.
pub static CONDITION_MISSING: Rule = Rule {
    id: "condition-missing",
    level: Level::Fix,
    summary: "A cheaper variant is not offered because one condition is not proved.",
    why: "The clauses match the rewrite, and the variant is proved cheaper. Whether the variant is equivalent depends on one condition, or on a call that is not proved to match the declaration. The message names the condition, or the call with its file and line.",
    before: "\
%! has_even(+Xs:list) is semidet.
has_even(Xs) :- findall(x, ( member(X, Xs), X mod 2 =:= 0 ), Found), Found \\== [].
",
    after: "\
%! has_even(+Xs:list(int)) is semidet.
has_even(Xs) :- findall(x, ( member(X, Xs), X mod 2 =:= 0 ), Found), Found \\== [].
",
    silence: Silence::With(&FIX),
    setting: "costlens.codeActions.enable",
};
