//! Coarser equations, without the sizes that become irrelevant once weights are known.
//!
//! The cost of `inc/2` depends on the number of ones in its counter. Its recursion also stops at the end of the list, after m elements,
//! which splits the equations into cells that a bound in the number of ones does not need. Dropping a size takes the maximum over all its
//! values, so the solution of the coarser equations is never smaller.

use std::collections::BTreeSet;

use costlens_algebra::linear::Region;
use costlens_algebra::{Expr, Var};
use costlens_recurrences::{Alternative, Cell, Function, System};

/// The maximum number of cells per function.
const MOST_CELLS: usize = 12;

/// Returns the first function and the functions on which it depends, with their old indices and without the dropped sizes. The result is
/// valid only for upper bounds.
pub(super) fn coarser(system: &System, dropped: &BTreeSet<Var>) -> Option<(Vec<usize>, System)> {
    let places = reachable(system);
    let functions = places
        .iter()
        .map(|&f| function(system, f, dropped, &places))
        .collect::<Option<_>>()?;
    Some((places, System { functions }))
}

fn reachable(system: &System) -> Vec<usize> {
    let mut found = vec![0];
    let mut next = 0;
    while let Some(function) = found.get(next).and_then(|&f| system.functions.get(f)) {
        let alternatives = function.cells.iter().flat_map(|c| &c.alternatives);
        for result in alternatives.flat_map(|a| &a.results) {
            if !found.contains(&result.function) {
                found.push(result.function);
            }
        }
        next += 1;
    }
    found
}

fn function(
    system: &System,
    f: usize,
    dropped: &BTreeSet<Var>,
    places: &[usize],
) -> Option<Function> {
    let function = system.functions.get(f)?;
    let (gone, params): (Vec<Var>, Vec<Var>) =
        function.params.iter().partition(|v| dropped.contains(v));
    let shadows = (function.cells.iter())
        .map(|cell| Some(cell.region.project_out(&gone)?.simplified()))
        .collect::<Option<Vec<Region>>>()?;
    let mut cells = Vec::new();
    for region in apart(&shadows)? {
        let mut cell = Cell {
            region,
            alternatives: Vec::new(),
            exhaustive: true,
        };
        for (old, shadow) in function.cells.iter().zip(&shadows) {
            if cell.region.and_all(shadow).is_empty() {
                continue;
            }
            cell.exhaustive &= old.exhaustive;
            for own in &old.alternatives {
                let own = alternative(system, own, &old.region, &params, dropped, places)?;
                let is_possible = !cell.region.and_all(&own.constraints).is_empty();
                if is_possible && !cell.alternatives.contains(&own) {
                    cell.alternatives.push(own);
                }
            }
        }
        cells.push(cell);
    }
    Some(Function { params, cells })
}

/// Partitions the union of regions into disjoint regions, each entirely inside or outside every given region.
fn apart(regions: &[Region]) -> Option<Vec<Region>> {
    let mut parts: Vec<Region> = Vec::new();
    for region in regions {
        let mut next = Vec::new();
        let mut left = vec![region.clone()];
        for part in parts {
            let both = part.and_all(region);
            if both.is_empty() {
                next.push(part);
                continue;
            }
            left = left.iter().flat_map(|r| r.difference(&part)).collect();
            next.extend(part.difference(region));
            next.push(both);
        }
        next.extend(left);
        next.retain(|r| !r.is_empty());
        if next.len() > MOST_CELLS {
            return None;
        }
        parts = next;
    }
    Some(parts.iter().map(Region::simplified).collect())
}

fn alternative(
    system: &System,
    old: &Alternative,
    on: &Region,
    params: &[Var],
    dropped: &BTreeSet<Var>,
    places: &[usize],
) -> Option<Alternative> {
    let mut own = old.clone();
    for result in &mut own.results {
        let function = system.functions.get(result.function)?;
        let kept = function.params.iter().map(|v| !dropped.contains(v));
        result.args = (kept.zip(&result.args))
            .filter(|(kept, _)| *kept)
            .map(|(_, arg)| arg.clone())
            .collect();
        result.function = places.iter().position(|&f| f == result.function)?;
    }
    let mut needed: BTreeSet<Var> = params.iter().copied().collect();
    needed.extend(own.value.iter().flat_map(Expr::variables));
    needed.extend(own.results.iter().map(|r| r.var));
    needed.extend(
        own.results
            .iter()
            .flat_map(|r| r.args.iter().flat_map(Expr::variables)),
    );
    let known = own.constraints.and_all(on);
    let forget: Vec<Var> = (known.variables().into_iter())
        .filter(|v| !needed.contains(v))
        .collect();
    own.constraints = known.project_out(&forget)?.simplified();
    // A dropped size that is still used may be any number that satisfies the constraints.
    let results: BTreeSet<Var> = own.results.iter().map(|r| r.var).collect();
    own.locals = (needed.into_iter())
        .filter(|v| !params.contains(v) && !results.contains(v))
        .collect();
    Some(own)
}
