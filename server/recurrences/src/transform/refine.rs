//! Finer cells for functions of several sizes, along the invariants of their recursion.
//!
//! In `zip([A|As], [B|Bs], R) :- …` the difference of the two lengths never changes: which list is longer is fixed for the whole run, and
//! in each of the three cases a single size suffices. In `lex(X, 0, K) :- …, lex(X1, K, K)` the size at which the inner loop starts never
//! changes. Recursions that end only for positive numbers (`gcd` by subtraction) also have such a cut. In functions without calls,
//! alternatives for some sizes only are a separate case: `sym(n). sym(t(_, L, R)) :- mi(L, R).` costs 1 for n = 1. Cutting cells changes no
//! values; it is tried if the original cells were not solved exactly.

use costlens_algebra::{Constraint, Expr, Var};

use crate::system::{Cell, Function, System};

/// The maximum number of cells per function after cutting.
const CELL_LIMIT: usize = 48;

/// The maximum number of cuts per function.
const CUT_LIMIT: usize = 8;

/// Returns systems with finer cells, in several variants, the most promising first.
pub(crate) fn refinements(system: &System) -> Vec<System> {
    let mut found = Vec::new();
    for level in [invariants, signs, shadows] {
        let mut changed = false;
        let mut finer = system.clone();
        for f in 0..system.functions.len() {
            let cuts = level(&system.functions[f], f);
            if !cuts.is_empty()
                && let Some(cells) = cut(&system.functions[f], &cuts)
            {
                changed |= cells.len() > system.functions[f].cells.len();
                finer.functions[f].cells = cells;
            }
        }
        if changed && !found.contains(&finer) {
            found.push(finer);
        }
    }
    found
}

/// Cuts the cells along all cuts.
fn cut(function: &Function, cuts: &[Constraint]) -> Option<Vec<Cell>> {
    let mut cells = function.cells.clone();
    for c in cuts {
        let mut next = Vec::new();
        for cell in cells {
            let mut parts = vec![cell.region.and(c.clone())];
            parts.extend(c.negated().into_iter().map(|n| cell.region.and(n)));
            parts.retain(|r| !r.is_empty());
            if let [_] = parts[..] {
                next.push(cell);
                continue;
            }
            next.extend(parts.into_iter().map(|region| Cell {
                region: region.simplified(),
                ..cell.clone()
            }));
        }
        if next.len() > CELL_LIMIT {
            return None;
        }
        cells = next;
    }
    Some(cells)
}

/// Returns the change of each parameter in each recursive call of the function.
fn changes(function: &Function, own: usize) -> Vec<Vec<Expr>> {
    let calls = function
        .cells
        .iter()
        .flat_map(|c| &c.alternatives)
        .flat_map(|a| &a.results)
        .filter(|r| r.function == own && r.args.len() == function.params.len());
    let mut changes: Vec<Vec<Expr>> = calls
        .map(|r| {
            let change = |(p, arg): (&Var, &Expr)| arg - &Expr::var(*p);
            function.params.iter().zip(&r.args).map(change).collect()
        })
        .collect();
    changes.sort();
    changes.dedup();
    changes
}

/// Returns tests on sizes that are passed on unchanged, and comparisons of sizes that decrease by the same amount.
fn invariants(function: &Function, own: usize) -> Vec<Constraint> {
    let params = &function.params;
    let changes = changes(function, own);
    if params.len() < 2 || changes.is_empty() {
        return Vec::new();
    }
    let fixed = |i: usize| changes.iter().all(|c| c[i].is_zero());
    let mut cuts = Vec::new();
    for (i, &p) in params.iter().enumerate() {
        if !fixed(i) {
            continue;
        }
        let tests = function.cells.iter().flat_map(|c| c.region.constraints());
        let tests = tests.filter(|c| c.variables().all(|v| v == p));
        let before = cuts.len();
        cuts.extend(tests.cloned());
        let steps = changes.iter().flatten().any(|c| c.variables().contains(&p));
        if cuts.len() == before && steps {
            // A recursion that subtracts a size each time makes progress only if this size is positive.
            for least in [0, 1] {
                cuts.extend(Constraint::ge(&Expr::var(p), &Expr::int(least)));
            }
        }
    }
    for i in 0..params.len() {
        for j in i + 1..params.len() {
            let alike = changes.iter().all(|c| c[i] == c[j]);
            if alike && !fixed(i) {
                cuts.extend(Constraint::eq(&Expr::var(params[i]), &Expr::var(params[j])));
            }
        }
    }
    tidy(cuts)
}

/// Returns tests for whether possibly negative sizes are positive, in addition to the invariants.
fn signs(function: &Function, own: usize) -> Vec<Constraint> {
    let mut cuts = invariants(function, own);
    if function.params.len() < 2 || changes(function, own).is_empty() {
        return cuts;
    }
    for &p in &function.params {
        let open = |c: &Cell| c.region.bounds(&Expr::var(p)).0.is_none();
        if function.cells.iter().any(open) {
            cuts.extend(Constraint::ge(&Expr::var(p), &Expr::int(1)));
        }
    }
    tidy(cuts)
}

/// Returns the constraints on the sizes that an alternative covers, in functions without calls.
fn shadows(function: &Function, _: usize) -> Vec<Constraint> {
    let mut cuts = Vec::new();
    for cell in &function.cells {
        for alternative in &cell.alternatives {
            if !alternative.results.is_empty() {
                return Vec::new();
            }
            let all = cell.region.and_all(&alternative.constraints);
            if let Some(shadow) = all.project_out(&alternative.locals) {
                let own = shadow.simplified();
                let new = |c: &&Constraint| !cell.region.implies(c);
                cuts.extend(own.constraints().iter().filter(new).cloned());
            }
        }
    }
    tidy(cuts)
}

fn tidy(mut cuts: Vec<Constraint>) -> Vec<Constraint> {
    cuts.sort();
    cuts.dedup();
    cuts.truncate(CUT_LIMIT);
    cuts
}
