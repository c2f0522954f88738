//! Queries that a run makes about its world, and their answers.

use std::collections::BTreeSet;

use costlens_algebra::linear::Constraint;
use costlens_body::TypeTest;
use smol_str::SmolStr;

/// The outcome of a test or unification.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Truth {
    True,
    False,
    Maybe,
}

impl Truth {
    pub(crate) fn and(self, other: Truth) -> Truth {
        match (self, other) {
            (Truth::False, _) | (_, Truth::False) => Truth::False,
            (Truth::True, Truth::True) => Truth::True,
            _ => Truth::Maybe,
        }
    }

    /// Returns the outcome of the negated test.
    pub(crate) fn negated(self) -> Truth {
        match self {
            Truth::True => Truth::False,
            Truth::False => Truth::True,
            Truth::Maybe => Truth::Maybe,
        }
    }

    pub(crate) fn from_bool(b: bool) -> Truth {
        if b { Truth::True } else { Truth::False }
    }
}

/// A query about values that have keys.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Question {
    /// The order of two numbers. `total` is true if both are known to be integers; other numbers may be incomparable (NaN).
    Numbers { a: SmolStr, b: SmolStr, total: bool },
    /// Asks whether an integer argument is a multiple of a number written in the clause (`N mod 2 =:= 0`).
    Multiple { key: SmolStr, of: u32 },
    /// The standard order of two terms.
    Terms { a: SmolStr, b: SmolStr },
    /// Asks whether two terms are identical.
    Identical { a: SmolStr, b: SmolStr },
    /// Asks whether two values unify, with their bindings at the call: `[X,X|_]` in one head, `X \= Y` after `[X,Y|_]` in the next head.
    Unifiable { a: SmolStr, b: SmolStr },
    /// The principal functor of a value.
    Shape { key: SmolStr },
    /// The result of a type test such as `atom/1`.
    Test { test: TypeTest, key: SmolStr },
}

/// An answer to a [`Question`].
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Answer {
    Less,
    Same,
    Greater,
    Incomparable,
    Yes,
    No,
    /// The value is this constant or has this functor.
    Is(SmolStr),
    /// The value is bound, and has none of these functors.
    IsNot(BTreeSet<SmolStr>),
    /// The value is an unbound variable.
    Unbound,
}

/// A request that stopped a run.
#[derive(Clone, Debug)]
pub(crate) enum Split {
    /// A split of the region by whether the sizes satisfy the constraint.
    Region(Constraint),
    /// A query, with a list of answers that covers all cases.
    Ask(Question, Vec<Answer>),
}

/// Returns two keys in a fixed order, and whether they were swapped.
pub(crate) fn ordered(a: &SmolStr, b: &SmolStr) -> (SmolStr, SmolStr, bool) {
    if a <= b {
        (a.clone(), b.clone(), false)
    } else {
        (b.clone(), a.clone(), true)
    }
}
