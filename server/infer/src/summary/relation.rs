//! How sizes of outputs depend on each other.

use std::collections::{BTreeMap, BTreeSet};

use costlens_algebra::Var;
use costlens_algebra::linear::{Region, Relation as Sign};

/// Linear constraints between sizes at the call and sizes of outputs, on every success: `part(L, _, L1, L2)` has
/// `l1 + l2 = n`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Relation {
    /// The variable that stands for an output's size, by argument (from 0).
    pub outputs: BTreeMap<usize, Var>,
    /// Inside an analysis that amortises, the variables of the weights of outputs, by argument, and one that all the steps of a call
    /// that succeeds do not exceed.
    pub weights: BTreeMap<usize, Var>,
    /// See [`Relation::weights`].
    pub cost: Option<Var>,
    /// Outputs of which no two solutions of a call have the same size.
    pub distinct: BTreeSet<usize>,
    /// Over the size variables of the call and these.
    pub constraints: Region,
}

impl Relation {
    /// Tells whether what a successful call costs is tied to its outputs, and not by the sizes at the call alone: `inc/2` takes as many steps as
    /// ones get fewer, and two.
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

/// Tells whether an equality says something of the variable.
pub(crate) fn is_equated(region: &Region, v: Var) -> bool {
    region
        .constraints()
        .iter()
        .any(|c| c.relation() == Sign::Zero && c.variables().any(|w| w == v))
}
