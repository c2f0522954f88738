//! The table of rewrites. Each is a rule with goals before and after as data (`fixes::patterns`), or with a function that returns proposals
//! for a predicate.
//!
//! A rewrite only checks the form of clauses, and lists further conditions; these conditions, the gain, and the equality of answers are
//! verified elsewhere. [rewrites.md](../../../../docs/rewrites.md) is generated from this table.

mod accumulate;
mod again;
mod decide;
mod difference;
mod equal;
mod extended;
mod fibonacci;
mod grown;
mod hoist;
mod lists;
mod merge;
mod power;
mod reverse;
mod searched;
mod walk;

use std::sync::LazyLock;

use super::malformed::Malformed;
use super::patterns::Rewriting;
use super::proposal::Proposal;
use super::site::Site;
use crate::diagnostics::rules::{self, Rule};

/// A rewrite.
pub struct Rewrite {
    /// The rule, with an example before and after.
    pub rule: &'static Rule,
    source: Source,
}

/// The source of a rewrite's proposals.
enum Source {
    /// Goals before and after, parsed from a file.
    Goals(LazyLock<Result<Rewriting, Malformed>>),
    /// A function that inspects a predicate.
    Clauses {
        /// The conditions under which the rewrite is offered, in words.
        conditions: &'static str,
        propose: fn(&Site<'_>) -> Vec<Proposal>,
    },
}

impl Rewrite {
    /// Returns the conditions under which the rewrite is offered, in words.
    #[must_use]
    pub fn conditions(&'static self) -> &'static str {
        match &self.source {
            Source::Goals(goals) => goals.as_ref().map_or("", |goals| goals.conditions),
            Source::Clauses { conditions, .. } => conditions,
        }
    }

    /// Returns the proposals for a predicate.
    pub(super) fn propose(&'static self, site: &Site<'_>) -> Vec<Proposal> {
        match &self.source {
            Source::Goals(goals) => (goals.as_ref()).map_or(Vec::new(), |of| of.propose(site)),
            Source::Clauses { propose, .. } => propose(site),
        }
    }
}

/// Defines a rewrite by a file in `server/ide/rewrites`.
macro_rules! goals {
    ($rule:ident, $file:literal) => {
        Rewrite {
            rule: &rules::$rule,
            source: Source::Goals(LazyLock::new(|| {
                Rewriting::read($file, include_str!(concat!("../../rewrites/", $file)))
            })),
        }
    };
}

/// All rewrites, in the order of the document.
pub static REWRITES: [Rewrite; 29] = [
    Rewrite {
        rule: &rules::REVERSE_WITH_ACCUMULATOR,
        source: Source::Clauses {
            conditions: "The first argument of every call is a proper list, the second one unbound; further arguments are handed on as they are. The clauses are \
                     those of naive reverse, with `append/3` or a copy of it.",
            propose: reverse::propose,
        },
    },
    Rewrite {
        rule: &rules::DIFFERENCE_LIST,
        source: Source::Clauses {
            conditions: "The list is unbound in every call. Each clause makes it of elements and of the lists of recursive calls, which are used for nothing else.",
            propose: difference::propose,
        },
    },
    Rewrite {
        rule: &rules::LIST_GROWN_AT_ITS_END,
        source: Source::Clauses {
            conditions: "The accumulator is a proper list in every call, the result unbound; the clauses append to the accumulator and look at it nowhere. Where the only caller begins with \
                     `[]`, it calls the new predicate, and the old one goes away.",
            propose: grown::propose,
        },
    },
    goals!(MATCH_INSTEAD_OF_LENGTH, "match-instead-of-length.pl"),
    goals!(LAST_ELEMENT, "last-element.pl"),
    goals!(MEMBER_ONCE, "member-once.pl"),
    goals!(APPEND_FROM_THE_RIGHT, "append-from-the-right.pl"),
    goals!(ANY_SOLUTION, "any-solution.pl"),
    goals!(NEEDLESS_COPY, "needless-copy.pl"),
    goals!(SORT_ONCE, "sort-once.pl"),
    Rewrite {
        rule: &rules::TWO_VALUES_CARRIED,
        source: Source::Clauses {
            conditions: "Every call has an integer and an unbound value; further arguments are handed on as they are, and those that values are made of are integers. Where cuts stand in the \
                     place of tests, the integer is declared as one that is not negative.",
            propose: fibonacci::propose,
        },
    },
    Rewrite {
        rule: &rules::POWER,
        source: Source::Clauses {
            conditions: "Every call has two integers and an unbound third argument. Where a cut stands in the place of a test, the exponent is declared as one that is not negative.",
            propose: power::propose,
        },
    },
    Rewrite {
        rule: &rules::COMPUTE_ONCE,
        source: Source::Clauses {
            conditions: "No call ends in an exception or has a second solution, the tests compare the same numbers, and arguments in which the heads differ are unbound in \
                     every call.",
            propose: merge::propose,
        },
    },
    goals!(JOIN_ALL_AT_ONCE, "join-all-at-once.pl"),
    goals!(WRITTEN_CELLS, "written-cells.pl"),
    goals!(REVERSED_TWICE, "reversed-twice.pl"),
    goals!(ELEMENTS_WITH_INDEX, "elements-with-index.pl"),
    goals!(NUMBERS_WITHOUT_LIST, "numbers-without-list.pl"),
    goals!(MEMBER_OF_BOTH, "member-of-both.pl"),
    goals!(UNUSED_REST, "unused-rest.pl"),
    Rewrite {
        rule: &rules::WALK_INSTEAD_OF_INDEX,
        source: Source::Clauses {
            conditions: "The list is a proper one, the loop begins with its first element and takes the next one in each round, and the list is used for nothing else.",
            propose: walk::propose,
        },
    },
    goals!(
        SORT_INSTEAD_OF_PERMUTATION,
        "sort-instead-of-permutation.pl"
    ),
    goals!(AGGREGATE_WITHOUT_LIST, "aggregate-without-list.pl"),
    Rewrite {
        rule: &rules::DECIDE_ONCE,
        source: Source::Clauses {
            conditions: "The tests compare integers, or any terms in the standard order, and arguments in which the heads differ are unbound in every call, and no part of what is compared.",
            propose: decide::propose,
        },
    },
    Rewrite {
        rule: &rules::ACCUMULATE,
        source: Source::Clauses {
            conditions: "The result is unbound in every call. What is added is made of integers that are known before the recursive call; where the recursion ends with an element, the \
                     list is one of integers.",
            propose: accumulate::propose,
        },
    },
    Rewrite {
        rule: &rules::COMPUTED_INSTEAD_OF_SEARCHED,
        source: Source::Clauses {
            conditions: "The bounds and all that the value is made of are integers; the number that is looked for is unbound.",
            propose: searched::propose,
        },
    },
    Rewrite {
        rule: &rules::COMPUTED_BEFORE_THE_LOOP,
        source: Source::Clauses {
            conditions: "The goal succeeds once for the argument that every call has: a proper list, or one of integers. Either each round calls it and every call succeeds, or lower bounds show that the variant is cheaper. If other goals of the round run before it, no call ends in an exception.",
            propose: hoist::propose,
        },
    },
    Rewrite {
        rule: &rules::SAME_GOAL_TWICE,
        source: Source::Clauses {
            conditions: "The inputs and what is given have no variables, and the goal is a function of its inputs with one solution at the most.",
            propose: again::propose,
        },
    },
    Rewrite {
        rule: &rules::EQUAL_PREDICATE,
        source: Source::Clauses {
            conditions: "The list is a proper one, the result is unbound, and the clauses of both show that they give the same.",
            propose: equal::propose,
        },
    },
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_of_a_rewrite_is_well_formed() {
        for rewrite in &REWRITES {
            if let Source::Goals(goals) = &rewrite.source {
                let mistake = goals.as_ref().err().map(ToString::to_string);
                assert_eq!(mistake, None);
            }
        }
    }
}
