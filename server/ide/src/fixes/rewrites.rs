//! The rewrites: each a rule, and a function from a predicate to what it proposes for it.
//!
//! A rewrite looks at shapes alone. What must hold beside, it names as conditions, which are proved for it; whether its variant is cheaper, and does the
//! same, is found out for it, too. [rewrites.md](../../../../docs/rewrites.md) is written from this table.

mod append_first;
mod copy;
mod difference;
mod emptiness;
mod fibonacci;
mod grown;
mod last;
mod length;
mod memberchk;
mod merge;
mod power;
mod reverse;
mod sorting;

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
pub static REWRITES: [Rewrite; 13] = [
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
        conditions: "The accumulator is a proper list in every call, the result unbound; the clauses append to the accumulator and look at it nowhere.",
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
        conditions: "None: of the goal only the first solution matters where it stands.",
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
        conditions: "Every call has an integer and an unbound second argument.",
        propose: fibonacci::propose,
    },
    Rewrite {
        rule: &rules::POWER,
        conditions: "Every call has two integers and an unbound third argument.",
        propose: power::propose,
    },
    Rewrite {
        rule: &rules::COMPUTE_ONCE,
        conditions: "No call ends in an exception or has a second solution, the tests compare the same numbers, and arguments in which the heads differ are unbound in \
                     every call.",
        propose: merge::propose,
    },
];
