//! The rules of rewrites that replace goals by goals: one for each file of `server/ide/rewrites`.

use super::SETTING;
use crate::diagnostics::rules::{FIX, Level, Rule, Silence};

/// Matches a list instead of computing its length.
pub static MATCH_INSTEAD_OF_LENGTH: Rule = Rule {
    id: "match-instead-of-length",
    level: Level::Fix,
    summary: "The length of a list is computed only to test whether the list is empty or has a few elements.",
    why: "The whole list is traversed, although its first cells suffice for the test.",
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
    summary: "A list is reversed, or all its splits are enumerated, only to get its last element.",
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
    why: "In a proper list, `memberchk/2` finds the same element in fewer steps and leaves no choice point.",
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
    summary: "Two lists are joined, and a third list is then appended to the result.",
    why: "The first list is traversed twice. If the lists are joined from the right, it is traversed once.",
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
    summary: "All solutions are collected only to test whether one exists.",
    why: "The search can stop at the first solution.",
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
    summary: "A list is copied although the original could be used.",
    why: "Terms are immutable, so a copy without variables is identical to the original.",
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
    summary: "A list is sorted, or its duplicates are removed, and the result is sorted again.",
    why: "`sort/2` removes duplicates while it sorts.",
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
    summary: "A list of lists is joined by a fold that appends each list to the result so far.",
    why: "Each `append/3` traverses the whole result so far. `append/2` traverses each list once.",
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
    summary: "`append/3` is called to put known elements in front of a list.",
    why: "The resulting list can be written directly.",
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
    summary: "A list is reversed twice.",
    why: "The second reversal returns the original list.",
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
    summary: "The indices of a list are enumerated, and the element at each index is looked up.",
    why: "Each access traverses the list from its beginning. With an unbound index, `nth1/3` traverses the list once and counts the indices.",
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
    summary: "A list of integers is built only to enumerate them.",
    why: "`between/3` enumerates the integers without a list.",
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
    summary: "Two lists are joined only to search for an element.",
    why: "If the two lists are searched one after the other, no third list is needed.",
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
    summary: "Looking up an element also yields its index or the remaining elements, which are never used.",
    why: "`member/2` does not count indices, and `memberchk/2` does not copy the remaining elements.",
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

/// Writes a compound term instead of a list of its parts.
pub static KNOWN_FUNCTOR: Rule = Rule {
    id: "known-functor",
    level: Level::Fix,
    summary: "A term is built or taken apart with `=../2`, although its name and arity are known.",
    why: "`=../2` makes a list of the name and the arguments. A unification makes only the term.",
    before: "\
%! placed(+X:int, +Y:int, -P) is det.
placed(X, Y, P) :- P =.. [point, X, Y].
",
    after: "\
%! placed(+X:int, +Y:int, -P) is det.
placed(X, Y, P) :- P = point(X, Y).
",
    silence: Silence::With(&FIX),
    setting: SETTING,
};

/// Matches an element at a known index.
pub static FIRST_ELEMENT: Rule = Rule {
    id: "first-element",
    level: Level::Fix,
    summary: "`nth0/3` or `nth1/3` gets one of the first elements of a list.",
    why: "A match with the list needs no call.",
    before: "\
%! newest(+Versions:list, -V) is semidet.
newest(Versions, V) :- nth0(0, Versions, V).
",
    after: "\
%! newest(+Versions:list, -V) is semidet.
newest(Versions, V) :- Versions = [V|_].
",
    silence: Silence::With(&FIX),
    setting: SETTING,
};

/// Joins several texts with one call.
pub static CONCATENATE_AT_ONCE: Rule = Rule {
    id: "concatenate-at-once",
    level: Level::Fix,
    summary: "Texts are joined one after another with `atom_concat/3`.",
    why: "Each call makes an atom that is only joined again. `atomic_list_concat/2` makes only the result.",
    before: "\
%! path(+Folder:atom, +Name:atom, -Path) is det.
path(Folder, Name, Path) :-
    atom_concat(Folder, '/', Prefix),
    atom_concat(Prefix, Name, Path).
",
    after: "\
%! path(+Folder:atom, +Name:atom, -Path) is det.
path(Folder, Name, Path) :-
    atomic_list_concat([Folder,'/',Name], Path).
",
    silence: Silence::With(&FIX),
    setting: SETTING,
};

/// Sorts a list instead of searching its permutations.
pub static SORT_INSTEAD_OF_PERMUTATION: Rule = Rule {
    id: "sort-instead-of-permutation",
    level: Level::Fix,
    summary: "A list is sorted by searching its permutations for the sorted one.",
    why: "A list has n! permutations. Sorting takes n·log n comparisons.",
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
    summary: "Solutions are collected only to compute their sum, minimum or maximum.",
    why: "`aggregate_all/3` keeps one number instead of a list of all solutions.",
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
