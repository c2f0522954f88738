//! The table of rewrites. Each rewrite is a rule, either with goals before and after as data (`fixes::patterns`), or with a function that
//! returns proposals for a predicate.
//!
//! A rewrite only checks the form of clauses, and lists further conditions. These conditions, the gain, and the equality of answers are
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

use super::malformed::FileError;
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
    Goals(LazyLock<Result<Rewriting, FileError>>),
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

    /// Returns the proposals for a predicate. Conditions that hold whatever it is called with are left out.
    pub(super) fn propose(&'static self, site: &Site<'_>) -> Vec<Proposal> {
        let mut proposals = match &self.source {
            Source::Goals(goals) => (goals.as_ref()).map_or(Vec::new(), |of| of.propose(site)),
            Source::Clauses { propose, .. } => propose(site),
        };
        for proposal in &mut proposals {
            let needs = &mut proposal.needs;
            needs.retain(|condition| !condition.holds_in_every_call(site));
        }
        proposals
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
pub static REWRITES: [Rewrite; 32] = [
    Rewrite {
        rule: &rules::REVERSE_WITH_ACCUMULATOR,
        source: Source::Clauses {
            conditions: "In every call, the first argument is a proper list and the second argument is unbound. Further arguments are passed on \
                     unchanged. The clauses are those of naive reverse, with `append/3` or a copy of it.",
            propose: reverse::propose,
        },
    },
    Rewrite {
        rule: &rules::DIFFERENCE_LIST,
        source: Source::Clauses {
            conditions: "The list is unbound in every call. Each clause builds it from elements and the lists of recursive calls, which are used for nothing else.",
            propose: difference::propose,
        },
    },
    Rewrite {
        rule: &rules::LIST_GROWN_AT_ITS_END,
        source: Source::Clauses {
            conditions: "In every call, the accumulator is a proper list and the result is unbound. The clauses append to the accumulator and do not \
                     inspect it. If the only caller starts with `[]`, it calls the new predicate, and the old predicate is removed.",
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
            conditions: "Every call has an integer and an unbound value. Further arguments are passed on unchanged; those used to compute values are \
                     integers. If the clauses have cuts instead of tests, the integer is declared as nonnegative.",
            propose: fibonacci::propose,
        },
    },
    Rewrite {
        rule: &rules::POWER,
        source: Source::Clauses {
            conditions: "Every call has two integers and an unbound third argument. If a clause has a cut instead of a test, the exponent is declared as nonnegative.",
            propose: power::propose,
        },
    },
    Rewrite {
        rule: &rules::COMPUTE_ONCE,
        source: Source::Clauses {
            conditions: "No call raises an exception or has a second solution. The tests compare the same numbers. Arguments in which the heads \
                     differ are unbound in every call.",
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
    goals!(KNOWN_FUNCTOR, "known-functor.pl"),
    goals!(FIRST_ELEMENT, "first-element.pl"),
    goals!(CONCATENATE_AT_ONCE, "concatenate-at-once.pl"),
    Rewrite {
        rule: &rules::WALK_INSTEAD_OF_INDEX,
        source: Source::Clauses {
            conditions: "The list is proper and is used for nothing else. The loop starts with the first element and takes the next element in each iteration.",
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
            conditions: "The tests compare integers, or any terms in the standard order. Arguments in which the heads differ are unbound in every call and do not occur in the compared terms.",
            propose: decide::propose,
        },
    },
    Rewrite {
        rule: &rules::ACCUMULATE,
        source: Source::Clauses {
            conditions: "The result is unbound in every call. The combined values are computed from integers that are known before the recursive \
                     call. If the recursion ends with an element, all elements of the list are integers.",
            propose: accumulate::propose,
        },
    },
    Rewrite {
        rule: &rules::COMPUTED_INSTEAD_OF_SEARCHED,
        source: Source::Clauses {
            conditions: "The bounds are integers, and the value is computed from integers. The enumerated number is unbound.",
            propose: searched::propose,
        },
    },
    Rewrite {
        rule: &rules::COMPUTED_BEFORE_THE_LOOP,
        source: Source::Clauses {
            conditions: "The argument is a proper list, or a list of integers, and the goal succeeds once for every such argument. Either each iteration calls the goal and every call succeeds, or lower bounds show that the variant is cheaper. If other goals of the iteration run before the goal, no call raises an exception.",
            propose: hoist::propose,
        },
    },
    Rewrite {
        rule: &rules::SAME_GOAL_TWICE,
        source: Source::Clauses {
            conditions: "The inputs and the result contain no variables. The goal is a function of its inputs and has at most one solution.",
            propose: again::propose,
        },
    },
    Rewrite {
        rule: &rules::EQUAL_PREDICATE,
        source: Source::Clauses {
            conditions: "The list is proper, the result is unbound, and the clauses of both predicates show that the results are the same.",
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
