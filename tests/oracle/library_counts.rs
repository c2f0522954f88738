//! The library that ships with Costlens compared with SWI-Prolog's own: both are run clause by clause, and must take the same steps.

use libtest_mimic::{Failed, Trial};

use crate::property;
use crate::swipl::{META, compare, ours_with, trial_with_swipl};

/// Predicates of these modules are also interpreted; those that check arguments are built-ins here.
const HOMES: &str = "
:- use_module(library(lists)). :- use_module(library(apply)). :- use_module(library(pairs)).
:- use_module(library(sort)). :- use_module(library(aggregate)). :- use_module(library(backcomp)).
home(G, user) :- predicate_property(user:G, file(F)), nb_getval(program_file, F), !.
home(G, M) :-
    functor(G, N, A), N/A \\== must_be/2, member(M, [lists, apply, pairs, sort, aggregate, backward_compatibility]),
    predicate_property(M:G, defined), \\+ predicate_property(M:G, imported_from(_)),
    \\+ predicate_property(M:G, foreign), !.
";

const PROGRAM: &str = "
double(X, Y) :- Y is X*2.
pos(X) :- X > 0.
add(X, A, B) :- B is A+X.
order(O, X, Y) :- compare(O, X, Y).
side(X, O) :- compare(O, X, 2).
half(X, Y) :- X mod 2 =:= 0, Y is X//2.
";

const GOALS: &[&str] = &[
    "append(_, _, [a,b,c])",
    "append([[a],[b,c],[]], _)",
    "member(_, [a,b,c])",
    "member(b, [a,b,c])",
    "reverse([a,b,c,d], _)",
    "select(_, [a,b,c], _)",
    "select(b, [a,b,c], x, _)",
    "selectchk(b, [a,b,c,b], _)",
    "permutation([1,2,3], _)",
    "last([a,b,c], _)",
    "sum_list([1,2,3], _)",
    "sumlist([], _)",
    "max_list([1,5,3], _)",
    "max_list([], _)",
    "min_list([4,2,3], _)",
    "numlist(1, 6, _)",
    "numlist(6, 1, _)",
    "numlist(3, 3, _)",
    "max_member(_, [a,f(x),3])",
    "min_member(_, [a,f(x),3])",
    "nth0(2, [a,b,c,d], _)",
    "nth0(2, [a,b,c,d], z)",
    "nth0(9, [a,b,c,d], _)",
    "nth1(1, [a,b], _)",
    "nth1(_, [a,b,c], _)",
    "nth0(_, [a,b,c], c)",
    "delete([a,b,a,c], a, _)",
    "subtract([a,b,c], [b], _)",
    "intersection([a,b,c], [b,d], _)",
    "union([a,b,c], [b,d], _)",
    "subset([a,b], [b,c,a])",
    "subset([a,z], [b,c,a])",
    "is_set([a,b,c])",
    "is_set([a,b,a])",
    "list_to_set([a,b,a,c,b], _)",
    "prefix(_, [a,b])",
    "nextto(_, _, [a,b,c])",
    "same_length([a,b], _)",
    "flatten([a,[b,[c]],[]], _)",
    "clumped([a,a,b,c,c], _)",
    "maplist(double, [1,2,3], _)",
    "maplist(pos, [1,2,-3])",
    "maplist(add, [1,2], [3,4], _)",
    "maplist([], [])",
    "foldl(add, [1,2,3], 0, _)",
    "include(pos, [1,-2,3], _)",
    "exclude(pos, [1,-2,3], _)",
    "partition(pos, [1,-2,3], _, _)",
    "partition(side, [1,2,3], _, _, _)",
    "convlist(half, [1,2,3,4], _)",
    "scanl(add, [1,2,3], 0, _)",
    "predsort(order, [c,a,b,a], _)",
    "predsort(order, [], _)",
    "pairs_keys([a-1,b-2], _)",
    "pairs_values([a-1,b-2], _)",
    "pairs_keys_values(_, [a,b], [1,2])",
    "pairs_keys_values([a-1], _, _)",
    "transpose_pairs([a-1,b-2], _)",
    "map_list_to_pairs(double, [1,2], _)",
    "group_pairs_by_key([a-1,a-2,b-3], _)",
    "aggregate_all(count, member(_, [a,b]), _)",
    "aggregate_all(sum(X), member(X, [1,2]), _)",
    "aggregate_all(max(X), member(X, [1,2]), _)",
    "aggregate_all(min(X), member(X, []), _)",
    "aggregate_all(max(X, w), member(X, [1,3,2]), _)",
    // Goals that take no step: with a module qualifier the others would not be counted.
    "aggregate_all(bag(X), user:between(1, 2, X), _)",
    "aggregate_all(set(X), user:(between(1, 3, Y), X is Y mod 2), _)",
    "aggregate_all(bag(X), user:Y^Z^(Y = 1, Z = 2, X = Y-Z), _)",
    "aggregate_all(count, X, user:(between(1, 3, Y), X is Y mod 2), _)",
    "aggregate_all(count, X, user:Y^(between(1, 3, Y), X is Y mod 2), _)",
    "aggregate_all(sum(X), X, user:between(1, 4, X), _)",
    "aggregate_all(sum(X), X, user:between(1, 0, X), _)",
    "aggregate_all(max(X), X, user:between(1, 4, X), _)",
    "aggregate_all(min(X), X, user:between(1, 0, X), _)",
    "aggregate_all(max(X, w), X, user:between(1, 4, X), _)",
    "aggregate_all(min(X, w), Y, user:(between(1, 3, X), Y = X), _)",
    "aggregate_all(min(X, w), X, user:between(1, 0, X), _)",
    "aggregate_all(bag(X), Y, user:(between(1, 3, X), Y = a), _)",
    "aggregate_all(set(X), Y, user:(between(1, 3, Y), X = a), _)",
    "phrase(([X], \\+ [z], ( [b] -> {X == a} ; [] )), [a,b], _)",
    "phrase(([a], ( ! | [b] ) ; []), [a,b], _)",
    "phrase([], [a])",
    "phrase(!, [a], [a])",
];

/// Returns the test: ignored if SWI-Prolog is missing, except in CI.
pub(crate) fn trial() -> Trial {
    trial_with_swipl("the_library_takes_as_many_steps_as_in_swi_prolog", agree)
}

fn agree() -> Result<(), Failed> {
    let interpreter = META
        .replace(
            "predicate_property(user:G, file(F)), nb_getval(program_file, F), !, entry(G).",
            "home(G, M), !, entry(M, G).",
        )
        .replace("entry(G) :-", "entry(M, G) :-")
        .replace("clause(user:G, B)", "clause(M:G, B)")
        + HOMES;
    let library = property::library();
    compare(PROGRAM, GOALS, &interpreter, |goal| {
        ours_with(PROGRAM, &library, goal)
    })
}
