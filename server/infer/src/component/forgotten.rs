//! Bounds for recursion that replaces integer values by values without a closed form. The bounds are inferred without these values, and
//! then proved with them.
//!
//! ```prolog
//! cells([Y|Ys], X, D, L, [U|Us], [C|Cs]) :- ( X == Y -> S = 0 ; S = 1 ), C is min(D+S, L+1), cells(Ys, X, U, C, Us, Cs).
//! ```
//!
//! Comparing the two values splits the calls into cases, and the case of the current call does not determine the case of the next.
//! Equations without the values merge these cases.

use std::collections::BTreeSet;

use costlens_algebra::linear::Region;
use costlens_algebra::work::Meter;
use costlens_algebra::{Expr, Var};
use costlens_recurrences::{Cell, Direction, Solution, SolvedPiece, System, Value, verify};

use super::Component;
use crate::lattice::types::Metric;
use crate::summary::pieces::Pieces;

impl Component<'_> {
    /// Replaces unknown upper bounds by bounds that do not depend on values replaced in the recursion.
    pub(crate) fn by_forgetting(&self, system: &System, solution: &Solution) -> Option<Solution> {
        if !solution.functions.iter().flatten().any(is_unknown) {
            return None;
        }
        let params = || self.nodes.iter().flat_map(|node| &node.params);
        let is_value = |v: Var| {
            params().any(|p| p.var == v && p.slot.is_plain() && p.slot.metric == Metric::Int)
        };
        let solve = |weaker: &System| self.run_solver(weaker, Direction::Upper);
        let fuel = &self.shared.solver_fuel;
        let mut left = fuel.get();
        let found = by_forgetting(system, solution, &is_value, &solve, &mut left);
        fuel.set(fuel.get().min(left));
        found
    }
}

/// Replaces the unknown bounds of a solution by bounds from the equations without the values that recursion replaces. `is_value` returns
/// whether a variable is the value of an integer; `solve` solves equations. Returns `None` if no bound is proved for the original
/// equations.
fn by_forgetting(
    system: &System,
    solution: &Solution,
    is_value: &dyn Fn(Var) -> bool,
    solve: &dyn Fn(&System) -> Solution,
    fuel: &mut u64,
) -> Option<Solution> {
    let weaker = without_values(system, is_value)?;
    let found = solve(&weaker);
    let functions = filled(system, solution, &found, &Expr::clone)?;
    let mut meter = Meter::start(*fuel);
    let is_proved = verify(system, &functions, Direction::Upper).is_ok();
    meter.settle(fuel);
    is_proved.then(|| Solution {
        functions,
        ..solution.clone()
    })
}

/// Returns the equations without the replaced values, with their cases merged. Returns `None` if recursion replaces no value, or if an
/// equation depends on one.
fn without_values(system: &System, is_value: &dyn Fn(Var) -> bool) -> Option<System> {
    let mut forgotten: BTreeSet<Var> = BTreeSet::new();
    let alternatives = || {
        let cells = system.functions.iter().flat_map(|f| &f.cells);
        cells.flat_map(|cell| &cell.alternatives)
    };
    loop {
        let before = forgotten.len();
        for alternative in alternatives() {
            for result in &alternative.results {
                let params = &system.functions.get(result.function)?.params;
                for (arg, &param) in result.args.iter().zip(params) {
                    let used = arg.variables();
                    let is_replaced = used.len() == 1
                        && used.iter().all(|v| alternative.locals.contains(v))
                        && is_value(param);
                    let follows = used.iter().any(|v| forgotten.contains(v));
                    if is_replaced || follows {
                        forgotten.insert(param);
                    }
                }
            }
        }
        if forgotten.len() == before {
            break;
        }
    }
    if forgotten.is_empty() || !forgotten.iter().all(|&v| is_value(v)) {
        return None;
    }
    let mut weaker = system.clone();
    for function in &mut weaker.functions {
        function.params.retain(|v| !forgotten.contains(v));
        let mut cells: Vec<Cell> = Vec::new();
        for cell in std::mem::take(&mut function.cells) {
            add(&mut cells, weakened(cell, system, &forgotten)?)?;
        }
        function.cells = cells;
    }
    Some(weaker)
}

/// Returns a cell without the replaced values.
fn weakened(mut cell: Cell, system: &System, forgotten: &BTreeSet<Var>) -> Option<Cell> {
    cell.region = without_sizes(&cell.region, forgotten);
    for alternative in &mut cell.alternatives {
        alternative.constraints = without_sizes(&alternative.constraints, forgotten);
        let value = alternative.value.iter().flat_map(Expr::variables);
        if value.into_iter().any(|v| forgotten.contains(&v)) {
            return None;
        }
        for result in &mut alternative.results {
            let params = &system.functions.get(result.function)?.params;
            let kept = std::mem::take(&mut result.args).into_iter().zip(params);
            result.args = kept
                .filter(|(_, param)| !forgotten.contains(param))
                .map(|(arg, _)| arg)
                .collect();
        }
    }
    Some(cell)
}

/// The maximum number of cells, and of splits of overlapping cells.
const MOST_CELLS: usize = 80;
const MOST_CUTS: usize = 300;

/// Adds a cell to disjoint cells. Where it overlaps existing cells, the intersection gets the alternatives of both. Returns `None` if this
/// takes too long.
fn add(cells: &mut Vec<Cell>, cell: Cell) -> Option<()> {
    let mut open = vec![cell];
    let mut left = MOST_CUTS;
    while let Some(cell) = open.pop() {
        if cells.len() > MOST_CELLS {
            return None;
        }
        let overlaps = |other: &Cell| !other.region.and_all(&cell.region).is_empty();
        let Some(at) = cells.iter().position(overlaps) else {
            cells.push(cell);
            continue;
        };
        left = left.checked_sub(1)?;
        let other = cells.swap_remove(at);
        let rests = |whole: &Cell, of: &Cell| -> Vec<Cell> {
            let outside = whole.region.difference(&of.region).into_iter();
            let some = outside.filter(|region| !region.is_empty());
            some.map(|region| Cell {
                region,
                ..whole.clone()
            })
            .collect()
        };
        cells.extend(rests(&other, &cell));
        open.extend(rests(&cell, &other));
        let mut both = Cell {
            region: other.region.and_all(&cell.region),
            exhaustive: other.exhaustive && cell.exhaustive,
            ..other
        };
        for alternative in cell.alternatives {
            if !both.alternatives.contains(&alternative) {
                both.alternatives.push(alternative);
            }
        }
        cells.push(both);
    }
    Some(())
}

fn without_sizes(region: &Region, forgotten: &BTreeSet<Var>) -> Region {
    (region.constraints().iter())
        .filter(|c| !c.variables().any(|v| forgotten.contains(&v)))
        .fold(Region::default(), |r, c| r.and(c.clone()))
}

pub(crate) fn is_unknown(piece: &SolvedPiece) -> bool {
    matches!(piece.value, Value::Unknown(_))
}

/// Returns the solution with guesses in place of unknown bounds, or `None` if the guesses provide no bound.
pub(crate) fn filled(
    system: &System,
    solution: &Solution,
    steps: &Solution,
    guess: &dyn Fn(&Expr) -> Expr,
) -> Option<Vec<Pieces>> {
    let mut is_changed = false;
    let mut functions = solution.functions.clone();
    let of_steps = steps.functions.iter().zip(&system.functions);
    for (pieces, (of_steps, function)) in functions.iter_mut().zip(of_steps) {
        if function.params.is_empty() || !pieces.iter().any(is_unknown) {
            continue;
        }
        let is_own = |e: &Expr| e.variables().iter().all(|v| function.params.contains(v));
        let (open, mut found): (Pieces, Pieces) = pieces.drain(..).partition(is_unknown);
        for piece in open {
            for other in of_steps {
                let region = piece.region.and_all(&other.region);
                if region.is_empty() {
                    continue;
                }
                let value = match &other.value {
                    Value::Known(e) if is_own(e) => {
                        is_changed = true;
                        Value::Known(guess(e))
                    }
                    _ => piece.value.clone(),
                };
                found.push(SolvedPiece { region, value });
            }
        }
        *pieces = found;
    }
    is_changed.then_some(functions)
}

/// Returns the solution with the guess in place of all bounds of a function, if some are unknown and all of the guess are known.
pub(crate) fn replaced(solution: &Solution, guess: &Solution) -> Vec<Pieces> {
    let functions = solution.functions.iter().zip(&guess.functions);
    let better = functions.map(|(own, guess)| {
        match own.iter().any(is_unknown) && !guess.iter().any(is_unknown) {
            true => guess.clone(),
            false => own.clone(),
        }
    });
    better.collect()
}
