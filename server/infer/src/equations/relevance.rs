//! The size variables on which a system of equations depends.

use costlens_algebra::linear::{Constraint, Region};
use costlens_algebra::{Expr, Var};
use costlens_recurrences::{Alternative, Function};
use rustc_hash::FxHashSet;

/// Drops size variables on which no bound depends: accumulators, and sizes that are only passed on. Equations with fewer variables are
/// solved more often, and unknown sizes then have no effect (`spec`: solver §3, S6a).
pub(crate) fn drop_irrelevant(functions: &mut [Function], domains: &[Region]) {
    let relevant = relevant_sizes(functions, domains);
    for f in 0..functions.len() {
        let is_dropped: Vec<bool> = relevant[f].iter().map(|r| !r).collect();
        let dropped = keep(&functions[f].params, &is_dropped)
            .into_iter()
            .collect();
        functions[f].params = keep(&functions[f].params, &relevant[f]);
        let params = functions[f].params.clone();
        for cell in &mut functions[f].cells {
            cell.region = without_sizes(&cell.region, &dropped);
            for alternative in &mut cell.alternatives {
                for result in &mut alternative.results {
                    result.args = keep(&result.args, &relevant[result.function]);
                }
                let needed = needed_variables(alternative, &params);
                alternative.locals.retain(|v| needed.contains(v));
                let variables = alternative.constraints.variables().into_iter();
                let unneeded = variables.filter(|v| !needed.contains(v)).collect();
                alternative.constraints = without_sizes(&alternative.constraints, &unneeded);
            }
        }
    }
}

fn keep<T: Clone>(items: &[T], is_kept: &[bool]) -> Vec<T> {
    items
        .iter()
        .zip(is_kept)
        .filter(|(_, kept)| **kept)
        .map(|(t, _)| t.clone())
        .collect()
}

fn without_sizes(region: &Region, dropped: &FxHashSet<Var>) -> Region {
    region
        .constraints()
        .iter()
        .filter(|c| !c.variables().any(|v| dropped.contains(&v)))
        .cloned()
        .collect()
}

/// Returns the variables in the value and in the arguments, the variables that determine when the alternative applies, and the variables
/// that constraints relate to any of these.
fn needed_variables(alternative: &Alternative, params: &[Var]) -> FxHashSet<Var> {
    let mut needed: FxHashSet<Var> = params.iter().copied().collect();
    needed.extend(alternative.value.iter().flat_map(Expr::variables));
    for result in &alternative.results {
        needed.extend(result.args.iter().flat_map(Expr::variables));
    }
    close_over(&alternative.constraints, &mut needed);
    needed
}

/// Adds the variables that constraints relate to the given ones. There may be hundreds, one for each argument.
fn close_over(constraints: &Region, needed: &mut FxHashSet<Var>) {
    loop {
        let before = needed.len();
        for c in constraints.constraints() {
            if c.variables().any(|v| needed.contains(&v)) {
                needed.extend(c.variables());
            }
        }
        if needed.len() == before {
            return;
        }
    }
}

/// Returns whether the constraints that are connected with a size restrict it. Those of a local that may always be chosen do not, such as the
/// size of an accumulator's next value with only a lower bound.
fn is_test(alternative: &Alternative, v: Var, domain: &Region) -> bool {
    let mut connected = FxHashSet::from_iter([v]);
    close_over(&alternative.constraints, &mut connected);
    let about: Region = (alternative.constraints.constraints().iter())
        .filter(|c| c.variables().any(|v| connected.contains(&v)))
        .cloned()
        .collect();
    let locals: Vec<Var> = (alternative.locals.iter().copied())
        .filter(|local| connected.contains(local))
        .collect();
    let shadow = about.project_inside(&locals);
    !shadow.is_some_and(|shadow| domain.implies_all(&shadow))
}

/// Returns for each parameter of each function whether some bound depends on it.
fn relevant_sizes(functions: &[Function], domains: &[Region]) -> Vec<Vec<bool>> {
    let mut relevant: Vec<Vec<bool>> = (functions.iter().zip(domains))
        .map(|(function, domain)| tested_sizes(function, domain))
        .collect();
    loop {
        let mut changed = false;
        for (f, function) in functions.iter().enumerate() {
            let used = used_sizes(function, &relevant);
            for (size, is_relevant) in function.params.iter().zip(&mut relevant[f]) {
                if !*is_relevant && used.contains(size) {
                    *is_relevant = true;
                    changed = true;
                }
            }
        }
        if !changed {
            return relevant;
        }
    }
}

/// Returns for each parameter whether it decides which cell or alternative applies.
fn tested_sizes(function: &Function, domain: &Region) -> Vec<bool> {
    let restricted = |region: &Region| -> FxHashSet<Var> {
        (region.constraints().iter())
            .filter(|c| domain.constraints().binary_search(c).is_err())
            .flat_map(Constraint::variables)
            .collect()
    };
    let mut tested = vec![false; function.params.len()];
    for cell in &function.cells {
        let by_cell = restricted(&cell.region);
        let by_alternatives: Vec<_> = (cell.alternatives.iter())
            .map(|a| (a, restricted(&a.constraints)))
            .collect();
        for (v, is_tested) in function.params.iter().zip(&mut tested) {
            *is_tested = *is_tested
                || by_cell.contains(v)
                || by_alternatives
                    .iter()
                    .any(|(a, restricted)| restricted.contains(v) && is_test(a, *v, domain));
        }
    }
    tested
}

/// Returns the variables on which the values of a function depend, given the relevant arguments of the functions that it calls.
fn used_sizes(function: &Function, relevant: &[Vec<bool>]) -> FxHashSet<Var> {
    let mut used = FxHashSet::default();
    for alternative in function.cells.iter().flat_map(|cell| &cell.alternatives) {
        let mut needed: FxHashSet<Var> =
            alternative.value.iter().flat_map(Expr::variables).collect();
        for result in &alternative.results {
            let args = result.args.iter().zip(&relevant[result.function]);
            needed.extend(
                args.filter(|(_, r)| **r)
                    .flat_map(|(arg, _)| arg.variables()),
            );
        }
        close_over(&alternative.constraints, &mut needed);
        used.extend(needed);
    }
    used
}
