//! Relations between output sizes.

use std::collections::{BTreeMap, BTreeSet};

use costlens_algebra::Var;
use costlens_algebra::linear::{Region, Relation as Sign};

/// Linear constraints between sizes at the call and output sizes, valid for every success: for `part(L, _, L1, L2)`, `l1 + l2 = n`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
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
