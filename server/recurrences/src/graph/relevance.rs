//! Relevance of parameters: a parameter is relevant if some value of the system depends on it.

use crate::system::System;

/// Returns whether each parameter is relevant: it occurs in a region, a constraint, a value, or an argument for a relevant parameter.
pub(crate) fn params(system: &System) -> Vec<Vec<bool>> {
    let mut relevant: Vec<Vec<bool>> = system
        .functions
        .iter()
        .map(|f| {
            f.params
                .iter()
                .map(|p| {
                    f.cells.iter().any(|cell| {
                        cell.region.variables().contains(p)
                            || cell.alternatives.iter().any(|a| {
                                a.constraints.variables().contains(p)
                                    || a.value.as_ref().is_some_and(|v| v.variables().contains(p))
                            })
                    })
                })
                .collect()
        })
        .collect();
    loop {
        let mut changed = false;
        for (f, function) in system.functions.iter().enumerate() {
            for call in function
                .cells
                .iter()
                .flat_map(|c| c.alternatives.iter().flat_map(|a| &a.results))
            {
                for (j, arg) in call.args.iter().enumerate() {
                    let matters = relevant
                        .get(call.function)
                        .and_then(|r| r.get(j))
                        .copied()
                        .unwrap_or(false);
                    if !matters {
                        continue;
                    }
                    for (i, p) in function.params.iter().enumerate() {
                        if !relevant[f][i] && arg.variables().contains(p) {
                            relevant[f][i] = true;
                            changed = true;
                        }
                    }
                }
            }
        }
        if !changed {
            return relevant;
        }
    }
}
