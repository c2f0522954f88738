//! Solves a system with its original cells, with finer cells, or with cells cut where exact values suggest it.

mod carried;
mod component;
mod compose;
mod exact;
mod exponents;
mod finish;
mod inexact;
mod merge;
mod projected;
mod quality;
mod state;
mod stuck;
mod summed;
mod turns;

use costlens_algebra::Constraint;
use costlens_algebra::work::Meter;
use rustc_hash::FxHashSet;

use crate::graph::CellId;
use crate::induction::verify;
use crate::solver::carried::Carried;
use crate::solver::finish::{Solved, finish};
use crate::solver::quality::Quality;
use crate::solver::state::{Cut, SolverState};
use crate::system::{Cell, Direction, Solution, SolvedPiece, System};
use crate::transform::{alike, parts, refine, unfold};

/// The maximum number of times that a cell may be cut in two.
const CUT_LIMIT: u32 = 3;

/// Infers and proves bounds for every function. Equal systems and fuel give equal results; a step of fuel takes about ten microseconds, and
/// a system of one or two simple functions takes about thirty steps.
///
/// Each cell ends as known, as proved divergent (lower bounds only), or as unknown with the reason; callers decide how to treat an unknown
/// lower bound (0 is always valid).
#[must_use]
pub fn solve(system: &System, direction: Direction, fuel: u64) -> Solution {
    parts::by_parts(system, direction, fuel, &mut |part| {
        solve_part(part, direction, fuel)
    })
}

/// Solves a system without independent parts, as [`solve`] does.
#[must_use]
pub fn solve_part(system: &System, direction: Direction, fuel: u64) -> Solution {
    // For lower bounds, a function that is solved separately may be cut less than a function that represents several functions, and its
    // bound may grow faster.
    let classes = match direction {
        Direction::Upper => alike::classes(system),
        Direction::Lower => None,
    };
    let mut left = fuel;
    let bounds = match &classes {
        Some(classes) => bounds(&classes.system, direction, &mut left),
        None => bounds(system, direction, &mut left),
    };
    let of = classes.map_or_else(|| (0..system.functions.len()).collect(), |c| c.of);
    let pieces = |&class: &usize| bounds.functions.get(class).cloned().unwrap_or_default();
    let proof = &bounds.proof;
    let lines = |(f, &class): (usize, &usize)| {
        let of_class = proof.iter().filter(move |(g, _)| *g == class);
        of_class.map(move |(_, how)| (f, how.clone()))
    };
    Solution {
        functions: of.iter().map(pieces).collect(),
        proof: of.iter().enumerate().flat_map(lines).collect(),
        fuel_used: fuel - left,
    }
}

/// Bounds on every function, and their derivations. Each line of a derivation comes with its function.
#[derive(Default)]
struct Bounds {
    functions: Vec<Vec<SolvedPiece>>,
    proof: Vec<(usize, String)>,
}

/// Returns bounds with the original cells, or with finer cells if these give better bounds.
fn bounds(system: &System, direction: Direction, left: &mut u64) -> Bounds {
    let mut original = without_repetitions(system);
    if direction == Direction::Upper
        && let Some(unfolded) = unfold::halving(&original)
    {
        original = unfolded;
    }
    let mut carried = Carried::default();
    let mut best = with_refinements(&original, direction, &mut carried, left);
    if direction == Direction::Upper {
        let is_unknown = !best.quality.unknown.is_empty() && *left > 0;
        if is_unknown && (best.was_cut || carried.lacks_fuel()) {
            uncut(&original, &mut best, &mut carried, left);
        }
        let has_several_sizes = original.functions.iter().any(|f| f.params.len() > 1);
        if has_several_sizes && !best.quality.unknown.is_empty() && *left > 0 {
            with_fewer_sizes(&original, &mut best, &mut carried, left);
        }
    }
    best.bounds
}

/// The best bounds so far.
#[derive(Default)]
struct Best {
    bounds: Bounds,
    quality: Quality,
    /// The system with the cells for which the bounds were inferred.
    cells: System,
    /// True if values suggested cutting a cell of the original system.
    was_cut: bool,
}

/// Solves with the original cells, then with finer cells as long as the bounds improve.
fn with_refinements(
    original: &System,
    direction: Direction,
    carried: &mut Carried,
    left: &mut u64,
) -> Best {
    let finer = refine::refinements(original);
    // Leave enough fuel for a second attempt with finer cells.
    let mut first = if finer.is_empty() { *left } else { *left / 2 };
    *left -= first;
    let of_first = with_cuts(
        original,
        original,
        direction,
        &|_| true,
        carried,
        &mut first,
    );
    *left += first;
    let mut best = of_first.unwrap_or_default();
    let was_cut = best.was_cut;
    for finer in finer {
        if best.quality.is_exact() || *left == 0 {
            break;
        }
        let is_better =
            |other: &Quality| other.count_cells(&finer) < best.quality.count_cells(&finer);
        if let Some(other) = with_cuts(original, &finer, direction, &is_better, carried, left) {
            best = other;
        }
    }
    best.was_cut = was_cut;
    best
}

/// Solves again without cuts, for upper bounds. Cells that were cut to fit exact values are too numerous for inexact bounds. If no cell was
/// cut and the fuel was sufficient, a second attempt would only repeat the known result and is skipped.
fn uncut(original: &System, best: &mut Best, carried: &mut Carried, left: &mut u64) {
    // A partly unknown cell is better than an unknown cell, so only a smaller number of unknown cells is an improvement.
    let unknown = |of: &Quality| of.count_cells(original).0;
    let is_better = |other: &Quality| unknown(other) < unknown(&best.quality);
    let effort = Effort {
        may_cut: false,
        may_leave_out: false,
    };
    let found = attempt(
        original,
        Direction::Upper,
        effort,
        &is_better,
        carried,
        left,
    );
    if let Ok(Some(solved)) = found {
        *best = Best {
            bounds: Bounds {
                functions: solved.merged,
                proof: solved.proof,
            },
            quality: solved.quality,
            cells: original.clone(),
            was_cut: false,
        };
    }
}

/// Solves again with some sizes ignored, for upper bounds.
fn with_fewer_sizes(original: &System, best: &mut Best, carried: &mut Carried, left: &mut u64) {
    let is_better =
        |other: &Quality| other.count_cells(original).0 < best.quality.count_cells(original).0;
    let effort = Effort {
        may_cut: false,
        may_leave_out: true,
    };
    // Leave some fuel for the lower bounds, which are solved later.
    let mut share = *left / LEAVING_OUT;
    *left -= share;
    let direction = Direction::Upper;
    let solved = attempt(
        &best.cells,
        direction,
        effort,
        &is_better,
        carried,
        &mut share,
    );
    *left += share;
    if let Ok(Some(solved)) = solved {
        let was_cut = best.cells != *original;
        best.bounds = kept(original, solved, was_cut, direction, left).0;
    }
}

/// The divisor of the remaining fuel that limits an attempt with fewer sizes.
const LEAVING_OUT: u64 = 4;

/// The methods that an attempt may use.
#[derive(Clone, Copy)]
struct Effort {
    may_cut: bool,
    /// True if sizes may be ignored.
    may_leave_out: bool,
}

/// Returns the merged pieces of a solution if they can be proved without the cuts, which requires a separate check. Otherwise returns the
/// plain pieces.
fn kept(
    original: &System,
    solved: Solved,
    was_cut: bool,
    direction: Direction,
    left: &mut u64,
) -> (Bounds, Quality) {
    let Solved {
        merged,
        plain,
        proof,
        quality,
    } = solved;
    let mut meter = Meter::start(*left);
    let is_proved = !was_cut || verify(original, &merged, direction).is_ok();
    meter.settle(left);
    let functions = if is_proved { merged } else { plain };
    (Bounds { functions, proof }, quality)
}

/// Solves a system with the cells of `start`, which may be finer than those of `original` and are cut further where values suggest it.
/// Returns `None` if the solution is not `wanted`.
fn with_cuts(
    original: &System,
    start: &System,
    direction: Direction,
    wanted: &dyn Fn(&Quality) -> bool,
    carried: &mut Carried,
    left: &mut u64,
) -> Option<Best> {
    let mut system = start.clone();
    for cuts_left in (0..=CUT_LIMIT).rev() {
        let effort = Effort {
            may_cut: cuts_left > 0,
            may_leave_out: false,
        };
        match attempt(&system, direction, effort, wanted, carried, left) {
            Ok(solved) => {
                let was_cut = cuts_left < CUT_LIMIT || start != original;
                let (bounds, quality) = kept(original, solved?, was_cut, direction, left);
                return Some(Best {
                    bounds,
                    quality,
                    cells: system,
                    was_cut: cuts_left < CUT_LIMIT,
                });
            }
            Err(Cut { cell, constraint }) => split(&mut system, cell, &constraint),
        }
    }
    None
}

/// Solves a system with its given cells, unless a cell should be cut first. Returns `None` if the bounds are not `wanted`.
fn attempt(
    system: &System,
    direction: Direction,
    effort: Effort,
    wanted: &dyn Fn(&Quality) -> bool,
    carried: &mut Carried,
    fuel: &mut u64,
) -> Result<Option<Solved>, Cut> {
    let graph = carried.graph(system);
    let mut state = SolverState::new(system, &graph, direction, effort.may_cut, fuel);
    state.may_leave_out = effort.may_leave_out;
    carried.give(&mut state);
    if direction == Direction::Lower {
        component::divergence(&mut state);
    }
    for (at, component) in graph.components.iter().enumerate() {
        component::solve(&mut state, component);
        if let Some(cut) = state.cut.take() {
            *fuel = state.fuel;
            carried.keep(&state, &graph.components[..at]);
            return Err(cut);
        }
    }
    carried.keep(&state, &graph.components);
    let quality = state.quality();
    let solved = wanted(&quality).then(|| finish(&mut state, quality));
    *fuel = state.fuel;
    Ok(solved)
}

/// Removes repeated alternatives of a cell, so that a thousand equal facts count as one.
fn without_repetitions(system: &System) -> System {
    let mut system = system.clone();
    for cell in system.functions.iter_mut().flat_map(|f| &mut f.cells) {
        if cell.alternatives.len() > 1 {
            let mut seen = FxHashSet::default();
            cell.alternatives.retain(|a| seen.insert(a.clone()));
        }
    }
    system
}

/// Cuts a cell in two.
fn split(system: &mut System, (function, cell): CellId, cut: &Constraint) {
    let cells = &mut system.functions[function].cells;
    let other = cells[cell].clone();
    cells[cell].region = other.region.and(cut.clone()).simplified();
    for opposite in cut.negated() {
        cells.push(Cell {
            region: other.region.and(opposite).simplified(),
            ..other.clone()
        });
    }
}
