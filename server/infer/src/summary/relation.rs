//! Relations between output sizes.

use std::collections::{BTreeMap, BTreeSet};

use costlens_algebra::linear::{Region, Relation as Sign};
use costlens_algebra::{Expr, Var, rat};
use serde::{Deserialize, Serialize};

/// Linear constraints between sizes at the call and output sizes, valid for every success: for `part(L, _, L1, L2)`, `l1 + l2 = n`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Relation {
    /// The variables that represent the sizes of outputs, by argument (from 0).
    pub outputs: BTreeMap<usize, Var>,
    /// In an amortised analysis: the variables for the weights of outputs, by argument, and a variable that bounds all steps of a
    /// successful call.
    pub weights: BTreeMap<usize, Var>,
    /// See [`Relation::weights`].
    pub cost: Option<Var>,
    /// Outputs whose sizes differ between any two solutions of a call.
    pub distinct: BTreeSet<usize>,
    /// Constraints over the call's size variables and the variables above.
    pub constraints: Region,
    /// How the cost of a successful call is bounded by what it consumes.
    pub consumption: Option<Consumption>,
}

/// A bound on all steps of a successful call by what it consumes of an input: a number of steps for each unit of its size that an output
/// does not have any more, and some steps more.
///
/// ```prolog
/// blanks --> [C], { C =< 32 }, !, blanks.
/// blanks --> [].
/// ```
///
/// takes one step for each blank, and one more: a loop that calls it again and again on what it leaves of a text is linear.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Consumption {
    /// The index of the input's size among the sizes of the call.
    pub input: usize,
    /// The argument, from 0, that is what is left.
    pub output: usize,
    /// The steps.
    pub steps: Rate,
    /// The work, where it is known.
    pub work: Option<Rate>,
    /// True if the bound is only on the cost to the first solution.
    pub first_only: bool,
}

/// The cost of a call by what it consumes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rate {
    /// The cost of each unit.
    pub each: i64,
    /// The cost in addition.
    pub once: i64,
}

impl Rate {
    /// Returns the bound for an amount that is consumed.
    pub(crate) fn bound(self, consumed: &Expr) -> Expr {
        &consumed.scale(&rat(self.each)) + &Expr::int(self.once)
    }

    /// Returns the rate of a multiple of the cost.
    pub(crate) fn times(self, factor: u32) -> Option<Self> {
        let factor = i64::from(factor);
        Some(Rate {
            each: self.each.checked_mul(factor)?,
            once: self.once.checked_mul(factor)?,
        })
    }
}

impl Relation {
    /// Returns whether the cost of a successful call is tied to its outputs, and not only to the sizes at the call: the number of steps of
    /// `inc/2` is two plus the decrease in the number of ones.
    pub(crate) fn amortises(&self) -> bool {
        let Some(cost) = self.cost.filter(|&c| is_equated(&self.constraints, c)) else {
            return false;
        };
        let outputs: Vec<Var> = self
            .outputs
            .values()
            .chain(self.weights.values())
            .copied()
            .collect();
        (self.constraints.equalities().project_out(&outputs))
            .is_some_and(|alone| !is_equated(&alone, cost))
    }
}

/// Returns whether an equality constrains the variable.
pub(crate) fn is_equated(region: &Region, v: Var) -> bool {
    region
        .constraints()
        .iter()
        .any(|c| c.relation() == Sign::Zero && c.variables().any(|w| w == v))
}
