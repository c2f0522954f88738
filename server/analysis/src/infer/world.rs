//! Worlds: what is assumed of an entry's arguments while its clauses are run symbolically.
//!
//! A run never guesses. Where a test depends on the sizes of the entry's arguments (`n = 0`?) or on a comparison of parts of
//! them (`X =< Y` in `insert(X, [Y|Ys], …)`), the run stops and asks for a [`Split`]; it is repeated in each of the worlds that
//! together cover all calls. So clauses exclude each other, and cover all cases, by construction: one call lies in one world,
//! and there every test has one answer in all clauses. A test that no key describes stays undecided
//! ([`Truth::Maybe`]) and both outcomes are taken into account.

use std::collections::{BTreeMap, BTreeSet};

use costlens_algebra::Expr;
use costlens_algebra::linear::{Constraint, Region};
use smol_str::SmolStr;

pub(crate) use super::parts::Parts;
use super::size::Size;

/// The answer of a test or unification.
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

    pub(crate) fn of(b: bool) -> Truth {
        if b { Truth::True } else { Truth::False }
    }
}

/// What a run may assume about values that have keys.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Question {
    /// How two numbers compare. `total` where both are known to be integers; other numbers may be incomparable (NaN).
    Numbers { a: SmolStr, b: SmolStr, total: bool },
    /// How two terms compare in the standard order.
    Terms { a: SmolStr, b: SmolStr },
    /// Whether two terms are identical.
    Identical { a: SmolStr, b: SmolStr },
    /// Whether two values unify, as they are at the call: `[X,X|_]` in one head, `X \= Y` behind `[X,Y|_]` in the next.
    Unifiable { a: SmolStr, b: SmolStr },
    /// The principal functor of a value.
    Shape { key: SmolStr },
    /// A type test such as `atom/1`.
    Test { name: SmolStr, key: SmolStr },
}

/// An answer to a [`Question`].
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Answer {
    Less,
    Same,
    Greater,
    Incomparable,
    Yes,
    No,
    /// The value is this constant or has this functor.
    Is(SmolStr),
    /// It is bound, and none of these.
    IsNot(BTreeSet<SmolStr>),
    /// It is an unbound variable.
    Unbound,
}

/// Why a run stopped: it needs to know.
#[derive(Clone, Debug)]
pub(crate) enum Split {
    /// Whether the sizes satisfy the constraint.
    Region(Constraint),
    /// An answer; the list covers all cases.
    Ask(Question, Vec<Answer>),
}

/// One world.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct World {
    /// The sizes of the entry's arguments and of parts of them.
    pub(crate) region: Region,
    pub(crate) parts: Parts,
    pub(crate) answers: BTreeMap<Question, Answer>,
    /// Whether the run may still ask for answers, and for regions. When the fuel for worlds is used up, tests that are
    /// not decided become [`Truth::Maybe`].
    pub(crate) may_ask: bool,
    pub(crate) may_split: bool,
}

/// Two keys in a fixed order, and whether they were swapped.
pub(crate) fn ordered(a: &SmolStr, b: &SmolStr) -> (SmolStr, SmolStr, bool) {
    if a <= b {
        (a.clone(), b.clone(), false)
    } else {
        (b.clone(), a.clone(), true)
    }
}

impl World {
    /// The size of an argument of a compound term of this size: that of the part, if it has a variable of its own, else
    /// what the other arguments leave.
    pub(crate) fn part_size(&self, key: Option<&SmolStr>, whole: &Size, arity: usize) -> Size {
        if let Some(v) = key.and_then(|k| self.parts.sizes.get(k)) {
            return Size::exact(Expr::var(*v));
        }
        let others = i64::try_from(arity).unwrap_or(i64::MAX);
        Size {
            lower: Some(Expr::int(1)),
            upper: whole.shifted(-others).upper,
        }
    }

    /// The weight of an argument of a compound term of this weight.
    pub(crate) fn part_weight(&self, key: Option<&SmolStr>, whole: &Size) -> Size {
        if let Some(v) = key.and_then(|k| self.parts.weights.get(k)) {
            return Size::exact(Expr::var(*v));
        }
        Size {
            upper: whole.upper.clone(),
            ..Size::at_least(0)
        }
    }

    /// Whether the sizes satisfy the constraint; asks when it is undecided.
    pub(crate) fn sizes(&self, c: &Constraint, splittable: bool) -> Result<Truth, Split> {
        if self.region.implies(c) {
            return Ok(Truth::True);
        }
        if self.region.and(c.clone()).is_empty() {
            return Ok(Truth::False);
        }
        if splittable && self.may_split {
            return Err(Split::Region(c.clone()));
        }
        Ok(Truth::Maybe)
    }

    /// The answer to a question, none if it may not be asked any more.
    pub(crate) fn ask(
        &self,
        question: Question,
        cases: impl FnOnce() -> Vec<Answer>,
    ) -> Result<Option<&Answer>, Split> {
        if let Some(answer) = self.answers.get(&question) {
            return Ok(Some(answer));
        }
        if self.may_ask {
            return Err(Split::Ask(question, cases()));
        }
        Ok(None)
    }
}
