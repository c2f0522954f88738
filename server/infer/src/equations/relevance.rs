//! The size variables on which a system of equations depends.

use costlens_algebra::linear::Region;
use costlens_algebra::{Expr, Var};
use costlens_recurrences::{Alternative, Function};

/// Drops size variables on which no bound depends: accumulators, and sizes that are only passed on. Equations with fewer variables are
/// solved more often, and unknown sizes then have no effect (`spec`: solver §3, S6a).
pub(crate) fn drop_irrelevant(functions: &mut [Function], domains: &[Region]) {
    let mut relevant: Vec<Vec<bool>> = functions
        .iter()
        .map(|f| vec![false; f.params.len()])
        .collect();
    loop {
        let mut changed = false;
        for f in 0..functions.len() {
            for i in 0..functions[f].params.len() {
                if !relevant[f][i] && is_relevant(functions, domains, &relevant, f, i) {
                    relevant[f][i] = true;
                    changed = true;
                }
            }
        }
        if !changed {
            break;
        }
    }
    for f in 0..functions.len() {
        let is_dropped: Vec<bool> = relevant[f].iter().map(|r| !r).collect();
        let dropped: Vec<Var> = keep(&functions[f].params, &is_dropped);
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
                let unneeded: Vec<Var> = alternative
                    .constraints
                    .variables()
                    .into_iter()
                    .filter(|v| !needed.contains(v))
                    .collect();
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

fn without_sizes(region: &Region, dropped: &[Var]) -> Region {
    region
        .constraints()
        .iter()
        .filter(|c| !c.variables().any(|v| dropped.contains(&v)))
        .fold(Region::default(), |r, c| r.and(c.clone()))
}

/// Returns the variables in the value and in the arguments, the variables that determine when the alternative applies, and the variables
/// that constraints relate to any of these.
fn needed_variables(alternative: &Alternative, params: &[Var]) -> Vec<Var> {
    let mut needed = params.to_vec();
    needed.extend(alternative.value.iter().flat_map(Expr::variables));
    for result in &alternative.results {
        needed.extend(result.args.iter().flat_map(Expr::variables));
    }
    close_over(&alternative.constraints, &mut needed);
    needed
}

fn close_over(constraints: &Region, needed: &mut Vec<Var>) {
    loop {
        let before = needed.len();
        for c in constraints.constraints() {
            if c.variables().any(|v| needed.contains(&v)) {
                for v in c.variables() {
                    if !needed.contains(&v) {
                        needed.push(v);
                    }
                }
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
    let mut connected = vec![v];
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

fn is_relevant(
    functions: &[Function],
    domains: &[Region],
    relevant: &[Vec<bool>],
    f: usize,
    i: usize,
) -> bool {
    let v = functions[f].params[i];
    functions[f].cells.iter().any(|cell| {
        let says = |region: &Region| {
            (region.constraints().iter())
                .any(|c| c.variables().any(|w| w == v) && !domains[f].constraints().contains(c))
        };
        let tests = |a: &Alternative| says(&a.constraints) && is_test(a, v, &domains[f]);
        says(&cell.region)
            || cell.alternatives.iter().any(tests)
            || cell.alternatives.iter().any(|alternative| {
                let mut needed: Vec<Var> =
                    alternative.value.iter().flat_map(Expr::variables).collect();
                for result in &alternative.results {
                    for (arg, _) in result
                        .args
                        .iter()
                        .zip(&relevant[result.function])
                        .filter(|(_, r)| **r)
                    {
                        needed.extend(arg.variables());
                    }
                }
                close_over(&alternative.constraints, &mut needed);
                needed.contains(&v)
            })
    })
}
