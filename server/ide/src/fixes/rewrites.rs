//! The rewrites: each a rule, and a function from a predicate to what it proposes for it.
//!
//! A rewrite looks at shapes alone. What must hold beside, it names as conditions, which are proved for it; whether its variant is cheaper, and does the
//! same, is found out for it, too. [rewrites.md](../../../../docs/rewrites.md) is written from this table.

mod accumulate;
mod again;
mod aggregate;
mod append_first;
mod both;
mod copy;
mod decide;
mod difference;
mod emptiness;
mod equal;
mod fibonacci;
mod grown;
mod hoist;
mod joined;
mod last;
mod length;
mod lists;
mod memberchk;
mod merge;
mod numbers;
mod permuted;
mod power;
mod reverse;
mod reversed_twice;
mod searched;
mod sorting;
mod unused_rest;
mod walk;
mod with_index;
mod written_cells;

use super::proposal::Proposal;
use super::site::Site;
use crate::diagnostics::rules::{self, Rule};

/// A rewrite.
pub struct Rewrite {
    /// Its rule, with an example before and after.
    pub rule: &'static Rule,
    /// The conditions under which it is offered, in words.
    pub conditions: &'static str,
    /// The proposals for a predicate.
    pub(super) propose: fn(&Site<'_>) -> Vec<Proposal>,
}

/// All rewrites, in the order of their document.
pub static REWRITES: [Rewrite; 29] = [
    Rewrite {
        rule: &rules::REVERSE_WITH_ACCUMULATOR,
        conditions: "The first argument of every call is a proper list, the second one unbound; further arguments are handed on as they are. The clauses are \
                     those of naive reverse, with `append/3` or a copy of it.",
        propose: reverse::propose,
    },
    Rewrite {
        rule: &rules::DIFFERENCE_LIST,
        conditions: "The list is unbound in every call. Each clause makes it of elements and of the lists of recursive calls, which are used for nothing else.",
        propose: difference::propose,
    },
    Rewrite {
        rule: &rules::LIST_GROWN_AT_ITS_END,
        conditions: "The accumulator is a proper list in every call, the result unbound; the clauses append to the accumulator and look at it nowhere. Where the only caller begins with \
                     `[]`, it calls the new predicate, and the old one goes away.",
        propose: grown::propose,
    },
    Rewrite {
        rule: &rules::MATCH_INSTEAD_OF_LENGTH,
        conditions: "The list is a proper one, and the length is used for this test alone.",
        propose: length::propose,
    },
    Rewrite {
        rule: &rules::LAST_ELEMENT,
        conditions: "The list is a proper one, and nothing else of its reversal or its front is used.",
        propose: last::propose,
    },
    Rewrite {
        rule: &rules::MEMBER_ONCE,
        conditions: "The list is proper, and only the first solution of the goal matters. If a term does not end in a list, `memberchk/2` raises an exception, and `member/2` fails.",
        propose: memberchk::propose,
    },
    Rewrite {
        rule: &rules::APPEND_FROM_THE_RIGHT,
        conditions: "Both lists in front are proper ones, and what is joined first is used for nothing else.",
        propose: append_first::propose,
    },
    Rewrite {
        rule: &rules::ANY_SOLUTION,
        conditions: "The list of solutions is used for this test alone, and no call ends in an exception: further solutions are not looked for any more.",
        propose: emptiness::propose,
    },
    Rewrite {
        rule: &rules::NEEDLESS_COPY,
        conditions: "What is copied is a proper list; for `findall/3` and `copy_term/2`, which make new variables, it has none.",
        propose: copy::propose,
    },
    Rewrite {
        rule: &rules::SORT_ONCE,
        conditions: "The list is a proper one, and what is sorted first is used for nothing else.",
        propose: sorting::propose,
    },
    Rewrite {
        rule: &rules::TWO_VALUES_CARRIED,
        conditions: "Every call has an integer and an unbound value; further arguments are handed on as they are, and those that values are made of are integers. Where cuts stand in the \
                     place of tests, the integer is declared as one that is not negative.",
        propose: fibonacci::propose,
    },
    Rewrite {
        rule: &rules::POWER,
        conditions: "Every call has two integers and an unbound third argument. Where a cut stands in the place of a test, the exponent is declared as one that is not negative.",
        propose: power::propose,
    },
    Rewrite {
        rule: &rules::COMPUTE_ONCE,
        conditions: "No call ends in an exception or has a second solution, the tests compare the same numbers, and arguments in which the heads differ are unbound in \
                     every call.",
        propose: merge::propose,
    },
    Rewrite {
        rule: &rules::JOIN_ALL_AT_ONCE,
        conditions: "The lists are proper ones, in a proper list; the fold begins with `[]`.",
        propose: joined::propose,
    },
    Rewrite {
        rule: &rules::WRITTEN_CELLS,
        conditions: "The list that comes of it is unbound, or the elements that are written have no variables: goals that wait for these would be woken in another order.",
        propose: written_cells::propose,
    },
    Rewrite {
        rule: &rules::REVERSED_TWICE,
        conditions: "The list is a proper one, and its reversal is used for nothing else.",
        propose: reversed_twice::propose,
    },
    Rewrite {
        rule: &rules::ELEMENTS_WITH_INDEX,
        conditions: "The list is a proper one, its length is used for nothing else, and the index is unbound.",
        propose: with_index::propose,
    },
    Rewrite {
        rule: &rules::NUMBERS_WITHOUT_LIST,
        conditions: "The bounds are integers, the list is used for nothing else, and the number is unbound.",
        propose: numbers::propose,
    },
    Rewrite {
        rule: &rules::MEMBER_OF_BOTH,
        conditions: "The first list is a proper one, and what is joined is used for nothing else.",
        propose: both::propose,
    },
    Rewrite {
        rule: &rules::UNUSED_REST,
        conditions: "For `memberchk/2` the list is a proper one: it raises an exception for what ends in no list, where `selectchk/3` fails.",
        propose: unused_rest::propose,
    },
    Rewrite {
        rule: &rules::WALK_INSTEAD_OF_INDEX,
        conditions: "The list is a proper one, the loop begins with its first element and takes the next one in each round, and the list is used for nothing else.",
        propose: walk::propose,
    },
    Rewrite {
        rule: &rules::SORT_INSTEAD_OF_PERMUTATION,
        conditions: "The list has integers alone, the permutation is unbound, and only the first solution matters.",
        propose: permuted::propose,
    },
    Rewrite {
        rule: &rules::AGGREGATE_WITHOUT_LIST,
        conditions: "The solutions are integers, the list is used for nothing else, and the result is unbound.",
        propose: aggregate::propose,
    },
    Rewrite {
        rule: &rules::DECIDE_ONCE,
        conditions: "The tests compare integers, or any terms in the standard order, and arguments in which the heads differ are unbound in every call, and no part of what is compared.",
        propose: decide::propose,
    },
    Rewrite {
        rule: &rules::ACCUMULATE,
        conditions: "The result is unbound in every call. What is added is made of integers that are known before the recursive call; where the recursion ends with an element, the \
                     list is one of integers.",
        propose: accumulate::propose,
    },
    Rewrite {
        rule: &rules::COMPUTED_INSTEAD_OF_SEARCHED,
        conditions: "The bounds and all that the value is made of are integers; the number that is looked for is unbound.",
        propose: searched::propose,
    },
    Rewrite {
        rule: &rules::COMPUTED_BEFORE_THE_LOOP,
        conditions: "The goal succeeds once for the argument that every call has: a proper list, or one of integers. Either each round calls it and every call succeeds, or lower bounds show that the variant is cheaper. If other goals of the round run before it, no call ends in an exception.",
        propose: hoist::propose,
    },
    Rewrite {
        rule: &rules::SAME_GOAL_TWICE,
        conditions: "The inputs and what is given have no variables, and the goal is a function of its inputs with one solution at the most.",
        propose: again::propose,
    },
    Rewrite {
        rule: &rules::EQUAL_PREDICATE,
        conditions: "The list is a proper one, the result is unbound, and the clauses of both show that they give the same.",
        propose: equal::propose,
    },
];
