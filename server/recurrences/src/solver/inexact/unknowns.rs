//! The unknowns of a linear program: the coefficients of a template in each cell.

use std::collections::BTreeMap;

use costlens_algebra::{Expr, Var};

use super::{Samples, Scope};
use crate::forms::template::Template;
use crate::graph::CellId;
use crate::system::System;
use crate::values::compiled::{Compiled, Slots};

/// The unknowns of a cell.
pub(crate) struct CellUnknowns {
    /// The index of the first unknown.
    pub(crate) start: usize,
    /// The functions that the unknowns multiply.
    pub(crate) basis: Vec<Expr>,
    pub(crate) compiled: Vec<Compiled>,
}

/// The maximum number of unknown coefficients over all cells.
const UNKNOWN_LIMIT: usize = 14;

/// Returns the unknowns of each cell and their total number, or `None` if there are too many or the template does not apply to a cell.
pub(crate) fn blocks(
    system: &System,
    samples: &Samples,
    template: &Template,
    scope: Scope,
) -> Option<(BTreeMap<CellId, CellUnknowns>, usize)> {
    let mut blocks: BTreeMap<CellId, CellUnknowns> = BTreeMap::new();
    let mut unknowns = 0;
    for (&id, sample) in samples {
        let params = &system.functions[id.0].params;
        let shared = (blocks.iter().next_back()).filter(|(other, _)| other.0 == id.0);
        let start = match (scope, shared) {
            (Scope::Functions, Some((_, block))) => block.start,
            _ => unknowns,
        };
        let basis = if scope == Scope::Functions {
            let varies = |v: &&Var| {
                let mut of = samples.iter().filter(|(other, _)| other.0 == id.0);
                of.any(|(_, s)| s.active.contains(v))
            };
            let active: Vec<Var> = params.iter().filter(varies).copied().collect();
            template.basis(&active)?
        } else {
            template.basis(&sample.active)?
        };
        unknowns = start + basis.len();
        if unknowns > UNKNOWN_LIMIT {
            return None;
        }
        let slots = Slots::new(params.to_vec());
        let compiled = basis.iter().map(|e| Compiled::new(e, &slots));
        let compiled: Vec<Compiled> = compiled.collect::<Option<_>>()?;
        let block = CellUnknowns {
            start,
            basis,
            compiled,
        };
        blocks.insert(id, block);
    }
    Some((blocks, unknowns))
}
