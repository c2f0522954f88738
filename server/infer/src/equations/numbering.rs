//! Numbering of the variables in alternatives, so that equal alternatives of different worlds are syntactically equal.

use std::collections::BTreeMap;

use costlens_algebra::{Expr, Var};
use costlens_recurrences::{Alternative, Function};

use crate::tree::locals::NUMBERED;

/// Renames the locals and results of each alternative in order.
pub(crate) fn number_variables(functions: &mut [Function]) {
    for cell in functions.iter_mut().flat_map(|f| &mut f.cells) {
        for alternative in &mut cell.alternatives {
            if let Some(renamed) = renamed(alternative) {
                *alternative = renamed;
            }
        }
        let mut seen: Vec<Alternative> = Vec::new();
        for alternative in std::mem::take(&mut cell.alternatives) {
            if !seen.contains(&alternative) {
                seen.push(alternative);
            }
        }
        cell.alternatives = seen;
    }
}

fn renamed(alternative: &Alternative) -> Option<Alternative> {
    let mut names: BTreeMap<Var, Var> = BTreeMap::new();
    let results = alternative.results.iter().map(|r| r.var);
    for (i, v) in alternative
        .locals
        .iter()
        .copied()
        .chain(results)
        .enumerate()
    {
        names.insert(v, Var(NUMBERED + u32::try_from(i).ok()?));
    }
    let by: BTreeMap<Var, Expr> = names.iter().map(|(&v, &w)| (v, Expr::var(w))).collect();
    let mut renamed = alternative.clone();
    for v in &mut renamed.locals {
        *v = names[v];
    }
    for result in &mut renamed.results {
        result.var = names[&result.var];
        for arg in &mut result.args {
            *arg = arg.substitute(&by)?;
        }
    }
    renamed.constraints = renamed.constraints.substitute(&by)?;
    if let Some(value) = &mut renamed.value {
        *value = value.substitute(&by)?;
    }
    Some(renamed)
}
