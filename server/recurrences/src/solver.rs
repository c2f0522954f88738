//! With which cells a system is solved: as they are, finer ones, or cut where values suggest it.

mod carried;
mod component;
mod compose;
mod merge;
mod projected;
mod quality;
mod stuck;
mod summed;
mod template;

use costlens_algebra::Constraint;
use costlens_algebra::work::Meter;
use rustc_hash::FxHashSet;

use crate::graph::CellId;
use crate::induction::verify;
use crate::solver::carried::Carried;
use crate::solver::component::{Cut, Solved, Solver};
use crate::solver::quality::Quality;
use crate::system::{Cell, Direction, Solution, SolvedPiece, System};
use crate::transform::{alike, refine, unfold};

/// How often a cell may be cut in two.
const CUT_LIMIT: u32 = 3;
/// Finds and proves bounds for every function. Equal systems and fuel give equal answers; a step of fuel is in the order of ten
/// microseconds, and a system of one or two simple functions takes some thirty.
///
/// Each cell ends as known, as proved divergent (lower bounds), or as unknown with the reason; callers decide what an unknown
/// lower bound is worth (0 always holds).
#[must_use]
pub fn solve(system: &System, direction: Direction, fuel: u64) -> Solution {
    // From below a function that is solved on its own may be cut less than one that stands for several, and grow faster.
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
        of_class.map(move |(_, how)| format!("function {f}: {how}"))
    };
    Solution {
        functions: of.iter().map(pieces).collect(),
        proof: of.iter().enumerate().flat_map(lines).collect(),
        fuel_used: fuel - left,
    }
}

/// Bounds of every function, and how they were found: a line and the function that it is about.
#[derive(Default)]
struct Bounds {
    functions: Vec<Vec<SolvedPiece>>,
    proof: Vec<(usize, String)>,
}

/// Bounds with the cells as they are, or with finer ones where that is better.
fn bounds(system: &System, direction: Direction, left: &mut u64) -> Bounds {
    let mut original = without_repetitions(system);
    if direction == Direction::Upper
        && let Some(unfolded) = unfold::halving(&original)
    {
        original = unfolded;
    }
    let finer = refine::refinements(&original);
    // Enough for a second try with finer cells.
    let mut first = if finer.is_empty() { *left } else { *left / 2 };
    *left -= first;
    let mut carried = Carried::default();
    let of_first = with_cuts(
        &original,
        &original,
        direction,
        &|_| true,
        &mut carried,
        &mut first,
    );
    *left += first;
    let (mut best, mut quality, mut cells) = of_first.unwrap_or_default();
    for finer in finer {
        if quality.is_exact() || *left == 0 {
            break;
        }
        let is_better = |other: &Quality| other.of(&finer) < quality.of(&finer);
        if let Some(other) = with_cuts(&original, &finer, direction, &is_better, &mut carried, left)
        {
            (best, quality, cells) = other;
        }
    }
    if direction == Direction::Upper && !quality.unknown.is_empty() && *left > 0 {
        // Cells that were cut to fit exact values are too many for bounds that are not exact. A cell that is unknown in part is better
        // than one that is unknown, so only fewer of them count.
        let unknown = |of: &Quality| of.of(&original).0;
        let is_better = |other: &Quality| unknown(other) < unknown(&quality);
        let effort = Effort {
            may_cut: false,
            may_leave_out: false,
        };
        if let Ok(Some(solved)) =
            attempt(&original, direction, effort, &is_better, &mut carried, left)
        {
            best = Bounds {
                functions: solved.merged,
                proof: solved.proof,
            };
            quality = solved.quality;
            cells = original.clone();
        }
    }
    let has_several_sizes = original.functions.iter().any(|f| f.params.len() > 1);
    if direction == Direction::Upper
        && has_several_sizes
        && !quality.unknown.is_empty()
        && *left > 0
    {
        let is_better = |other: &Quality| other.of(&original).0 < quality.of(&original).0;
        let effort = Effort {
            may_cut: false,
            may_leave_out: true,
        };
        // The lower bounds that are solved for later need some, too.
        let mut share = *left / LEAVING_OUT;
        *left -= share;
        let solved = attempt(
            &cells,
            direction,
            effort,
            &is_better,
            &mut carried,
            &mut share,
        );
        *left += share;
        if let Ok(Some(solved)) = solved {
            (best, _) = kept(&original, solved, cells != original, direction, left);
        }
    }
    best
}

/// The part of the fuel that is left of which an attempt with fewer sizes takes at most one.
const LEAVING_OUT: u64 = 4;

/// What may be done to find bounds.
#[derive(Clone, Copy)]
struct Effort {
    may_cut: bool,
    /// Sizes may be left out of account.
    may_leave_out: bool,
}

/// The merged pieces of what was solved, if they are proved without the cuts: that is another question.
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

/// Solves a system with the cells of `start`, which may be finer than those of `original`, and are cut further where values
/// suggest it. None where what is found is not `wanted`.
fn with_cuts(
    original: &System,
    start: &System,
    direction: Direction,
    wanted: &dyn Fn(&Quality) -> bool,
    carried: &mut Carried,
    left: &mut u64,
) -> Option<(Bounds, Quality, System)> {
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
                return Some((bounds, quality, system));
            }
            Err(Cut { cell, constraint }) => split(&mut system, cell, &constraint),
        }
    }
    None
}
fn attempt(
    system: &System,
    direction: Direction,
    effort: Effort,
    wanted: &dyn Fn(&Quality) -> bool,
    carried: &mut Carried,
    fuel: &mut u64,
) -> Result<Option<Solved>, Cut> {
    let graph = carried.graph(system);
    let mut solver = Solver::new(system, &graph, direction, effort.may_cut, fuel);
    solver.may_leave_out = effort.may_leave_out;
    carried.give(&mut solver);
    if direction == Direction::Lower {
        solver.divergence();
    }
    for (at, component) in graph.components.iter().enumerate() {
        solver.component(component);
        if let Some(cut) = solver.cut.take() {
            *fuel = solver.fuel;
            carried.keep(&solver, &graph.components[..at]);
            return Err(cut);
        }
    }
    carried.keep(&solver, &graph.components);
    let quality = solver.quality();
    let solved = wanted(&quality).then(|| solver.finish(quality));
    *fuel = solver.fuel;
    Ok(solved)
}

/// Equal alternatives of a cell count once: a thousand facts are one.
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
