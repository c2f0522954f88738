//! The rules of rewrites that replace goals by goals: one for each file of `server/ide/rewrites`.

use super::SETTING;
use crate::diagnostics::rules::{FIX, Level, Rule, Silence};

/// Matches a list instead of computing its length.
pub static MATCH_INSTEAD_OF_LENGTH: Rule = Rule {
    id: "match-instead-of-length",
    level: Level::Fix,
    summary: "The length of a list is computed to see whether it is empty, or has a few elements.",
    why: "The list is walked through to its end, where its first cells tell.",
    before: "\
%! busy(+Jobs:list(atom)) is semidet.
busy(Jobs) :- length(Jobs, N), N > 0.
",
    after: "\
%! busy(+Jobs:list(atom)) is semidet.
busy(Jobs) :- Jobs = [_|_].
",
    silence: Silence::With(&FIX),
    setting: SETTING,
};

/// Accesses the last element directly.
pub static LAST_ELEMENT: Rule = Rule {
    id: "last-element",
    level: Level::Fix,
    summary: "A list is reversed, or taken apart in all ways, for its last element.",
    why: "`last/2` builds nothing and leaves no choice point.",
    before: "\
%! newest(+Versions:list(int), -V) is semidet.
newest(Versions, V) :- reverse(Versions, [V|_]).
",
    after: "\
%! newest(+Versions:list(int), -V) is semidet.
newest(Versions, V) :- last(Versions, V).
",
    silence: Silence::With(&FIX),
    setting: SETTING,
};

/// Replaces a membership test if only its first solution matters.
pub static MEMBER_ONCE: Rule = Rule {
    id: "member-once",
    level: Level::Fix,
    summary: "`member/2` is called where only its first solution matters.",
    why: "In a proper list `memberchk/2` finds the same one with fewer steps and leaves no choice point.",
    before: "\
%! kind(+Name:atom, +Known:list(atom), -Kind) is det.
kind(Name, Known, Kind) :-
    (   member(Name, Known)
    ->  Kind = old
    ;   Kind = new
    ).
",
    after: "\
%! kind(+Name:atom, +Known:list(atom), -Kind) is det.
kind(Name, Known, Kind) :-
    (   memberchk(Name, Known)
    ->  Kind = old
    ;   Kind = new
    ).
",
    silence: Silence::With(&FIX),
    setting: SETTING,
};

/// Joins lists from the right.
pub static APPEND_FROM_THE_RIGHT: Rule = Rule {
    id: "append-from-the-right",
    level: Level::Fix,
    summary: "Two lists are joined, and then a third one behind them.",
    why: "The first list is walked through twice. Joined from the right, each is walked through once.",
    before: "\
%! page(+Head:list(int), +Body:list(int), +Foot:list(int), -Page) is det.
page(Head, Body, Foot, Page) :-
    append(Head, Body, Front),
    append(Front, Foot, Page).
",
    after: "\
%! page(+Head:list(int), +Body:list(int), +Foot:list(int), -Page) is det.
page(Head, Body, Foot, Page) :-
    append(Body, Foot, Front),
    append(Head, Front, Page).
",
    silence: Silence::With(&FIX),
    setting: SETTING,
};

/// Searches for one solution instead of all.
pub static ANY_SOLUTION: Rule = Rule {
    id: "any-solution",
    level: Level::Fix,
    summary: "All solutions are collected to see whether there is one.",
    why: "The first solution tells, or that there is none.",
    before: "\
%! used(+Names:list(atom)) is semidet.
used(Names) :- findall(N, ( member(N, Names), N \\== none ), Used), Used \\== [].
",
    after: "\
%! used(+Names:list(atom)) is semidet.
used(Names) :- \\+ \\+ ( member(N, Names), N \\== none ).
",
    silence: Silence::With(&FIX),
    setting: SETTING,
};

/// Removes a needless copy.
pub static NEEDLESS_COPY: Rule = Rule {
    id: "needless-copy",
    level: Level::Fix,
    summary: "A list is copied that could be used as it is.",
    why: "Terms do not change, so that a copy without variables is no other term.",
    before: "\
%! snapshot(+Names:list(atom), -Copy) is det.
snapshot(Names, Copy) :- findall(Name, member(Name, Names), Copy).
",
    after: "\
%! snapshot(+Names:list(atom), -Copy) is det.
snapshot(Names, Copy) :- Copy = Names.
",
    silence: Silence::With(&FIX),
    setting: SETTING,
};

/// Sorts a list once instead of twice.
pub static SORT_ONCE: Rule = Rule {
    id: "sort-once",
    level: Level::Fix,
    summary: "A list is sorted or freed from duplicates, and then sorted again.",
    why: "`sort/2` drops duplicates while it sorts.",
    before: "\
%! ordered(+Names:list(atom), -Ordered) is det.
ordered(Names, Ordered) :- msort(Names, Sorted), sort(Sorted, Ordered).
",
    after: "\
%! ordered(+Names:list(atom), -Ordered) is det.
ordered(Names, Ordered) :- sort(Names, Ordered).
",
    silence: Silence::With(&FIX),
    setting: SETTING,
};

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
