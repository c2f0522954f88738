//! The rules for variants of a goal or of neighbouring goals.

use super::SETTING;
use crate::diagnostics::rules::{FIX, Level, Rule, Silence};

/// Joins lists without a fold.
pub static JOIN_ALL_AT_ONCE: Rule = Rule {
    id: "join-all-at-once",
    level: Level::Fix,
    summary: "The lists of a list are joined by a fold, each behind all that come before it.",
    why: "Each `append/3` walks through all that is there already. `append/2` walks once through each list.",
    before: "\
%! text(+Lines:list(list(int)), -Codes) is det.
text(Lines, Codes) :- foldl(add, Lines, [], Codes).

add(Line, Sofar, Codes) :- append(Sofar, Line, Codes).
",
    after: "\
%! text(+Lines:list(list(int)), -Codes) is det.
text(Lines, Codes) :- append(Lines, Codes).

add(Line, Sofar, Codes) :- append(Sofar, Line, Codes).
",
    silence: Silence::With(&FIX),
    setting: SETTING,
};

/// Writes known elements in front of a list.
pub static WRITTEN_CELLS: Rule = Rule {
    id: "written-cells",
    level: Level::Fix,
    summary: "Elements that are written in the clause are put in front of a list by a call.",
    why: "The list can be written as it is to be.",
    before: "\
%! put(+X:int, +Xs:list(int), -Ys) is det.
put(X, Xs, Ys) :- append([X, X], Xs, Ys).
",
    after: "\
%! put(+X:int, +Xs:list(int), -Ys) is det.
put(X, Xs, Ys) :- Ys = [X, X|Xs].
",
    silence: Silence::With(&FIX),
    setting: SETTING,
};

/// Removes a double reversal.
pub static REVERSED_TWICE: Rule = Rule {
    id: "reversed-twice",
    level: Level::Fix,
    summary: "A list is reversed, and reversed again.",
    why: "The second reversal is the list itself.",
    before: "\
%! same(+Xs:list(int), -Ys) is det.
same(Xs, Ys) :- reverse(Xs, Zs), reverse(Zs, Ys).
",
    after: "\
%! same(+Xs:list(int), -Ys) is det.
same(Xs, Ys) :- Ys = Xs.
",
    silence: Silence::With(&FIX),
    setting: SETTING,
};

/// Lets a library predicate count indices.
pub static ELEMENTS_WITH_INDEX: Rule = Rule {
    id: "elements-with-index",
    level: Level::Fix,
    summary: "Indices are counted up to the length of a list, and the element at each of them is looked up.",
    why: "Each access walks through the list from its beginning. With an unbound index `nth1/3` walks through it once, and counts.",
    before: "\
%! at(+Xs:list(atom), +X:atom, -I) is nondet.
at(Xs, X, I) :- length(Xs, N), between(1, N, I), nth1(I, Xs, X).
",
    after: "\
%! at(+Xs:list(atom), +X:atom, -I) is nondet.
at(Xs, X, I) :- nth1(I, Xs, X).
",
    silence: Silence::With(&FIX),
    setting: SETTING,
};

/// Enumerates numbers without a list.
pub static NUMBERS_WITHOUT_LIST: Rule = Rule {
    id: "numbers-without-list",
    level: Level::Fix,
    summary: "Integers are written into a list, to be taken out of it one after the other.",
    why: "`between/3` gives them without a list.",
    before: "\
%! multiple(+N:int, -X) is nondet.
multiple(N, X) :- numlist(1, N, Ns), member(X, Ns), X mod 3 =:= 0.
",
    after: "\
%! multiple(+N:int, -X) is nondet.
multiple(N, X) :- between(1, N, X), X mod 3 =:= 0.
",
    silence: Silence::With(&FIX),
    setting: SETTING,
};

/// Searches two lists without joining them.
pub static MEMBER_OF_BOTH: Rule = Rule {
    id: "member-of-both",
    level: Level::Fix,
    summary: "Two lists are joined to look for an element.",
    why: "Looked for in one after the other, it is found without a third list.",
    before: "\
%! known(+X:atom, +Xs:list(atom), +Ys:list(atom)) is semidet.
known(X, Xs, Ys) :- append(Xs, Ys, Zs), memberchk(X, Zs).
",
    after: "\
%! known(+X:atom, +Xs:list(atom), +Ys:list(atom)) is semidet.
known(X, Xs, Ys) :- ( memberchk(X, Xs) -> true ; memberchk(X, Ys) ).
",
    silence: Silence::With(&FIX),
    setting: SETTING,
};

/// Searches for an element without the index or the rest.
pub static UNUSED_REST: Rule = Rule {
    id: "unused-rest",
    level: Level::Fix,
    summary: "An element is asked for with its index or with the other elements, which are not used.",
    why: "`member/2` does not count, and `memberchk/2` copies nothing.",
    before: "\
%! large(+Xs:list(int), -X) is nondet.
large(Xs, X) :- nth1(_, Xs, X), X > 100.
",
    after: "\
%! large(+Xs:list(int), -X) is nondet.
large(Xs, X) :- member(X, Xs), X > 100.
",
    silence: Silence::With(&FIX),
    setting: SETTING,
};

/// Sorts a list instead of searching its permutations.
pub static SORT_INSTEAD_OF_PERMUTATION: Rule = Rule {
    id: "sort-instead-of-permutation",
    level: Level::Fix,
    summary: "Of all permutations of a list the one that is in order is looked for.",
    why: "There are n! of them. Sorting takes n·log n comparisons.",
    before: "\
%! sorted(+Xs:list(int), -Ys) is semidet.
sorted(Xs, Ys) :- permutation(Xs, Ys), ordered(Ys), !.

ordered([]).
ordered([_]).
ordered([X,Y|Ys]) :- X =< Y, ordered([Y|Ys]).
",
    after: "\
%! sorted(+Xs:list(int), -Ys) is semidet.
sorted(Xs, Ys) :- msort(Xs, Ys), !.

ordered([]).
ordered([_]).
ordered([X,Y|Ys]) :- X =< Y, ordered([Y|Ys]).
",
    silence: Silence::With(&FIX),
    setting: SETTING,
};

/// Aggregates solutions without a list.
pub static AGGREGATE_WITHOUT_LIST: Rule = Rule {
    id: "aggregate-without-list",
    level: Level::Fix,
    summary: "Solutions are collected for their sum, or for the least or greatest one.",
    why: "`aggregate_all/3` keeps one number instead of a list of all.",
    before: "\
%! income(+Xs:list(int), -Sum:int) is det.
income(Xs, Sum) :- findall(X, ( member(X, Xs), X > 0 ), All), sum_list(All, Sum).
",
    after: "\
%! income(+Xs:list(int), -Sum:int) is det.
income(Xs, Sum) :- aggregate_all(sum(X), ( member(X, Xs), X > 0 ), Sum).
",
    silence: Silence::With(&FIX),
    setting: SETTING,
};

/// Computes a number instead of searching for it.
pub static COMPUTED_INSTEAD_OF_SEARCHED: Rule = Rule {
    id: "computed-instead-of-searched",
    level: Level::Fix,
    summary: "Numbers are enumerated up to one whose value is known.",
    why: "It can be computed, and `between/3` is left to see whether it is one of them.",
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

/// Reuses the result of an earlier goal.
pub static SAME_GOAL_TWICE: Rule = Rule {
    id: "same-goal-twice",
    level: Level::Fix,
    summary: "A goal is called again for what it has given before.",
    why: "It gives the same, which is known.",
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
    summary: "A predicate is called where another one gives the same for less.",
    why: "Lengths and reversals are in the library: `length/2` takes no step for each element, `reverse/2` one.",
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
