//! The proof by induction that a candidate is a bound, independent of how the candidate was inferred.
//!
//! For each piece, each cell that it intersects, each alternative, and each combination of pieces in which the calls may land, the
//! difference between the candidate and one unfolding of the equation must be non-negative.

mod branches;
mod checker;
mod divergence;
pub(crate) mod measure;

use costlens_algebra::Region;
use thiserror::Error;

use crate::graph::Graph;
pub(crate) use crate::induction::checker::Checker;
use crate::system::{Cell, Direction, SolvedPiece, System, Why};
use crate::transform::unfold;

/// The fuel per call of [`verify`].
const VERIFY_FUEL: u64 = 100_000;

/// A piece of a candidate that was not proved.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("the bound of function {function} is not proved on one of its pieces")]
pub struct Refusal {
    /// The function.
    pub function: usize,
    /// The region of the piece.
    pub region: Region,
    /// The reason.
    pub why: Why,
}

/// Checks every piece of a candidate: one list of pieces per function. Unknown pieces make no claim. On success, returns a short
/// description of the proof for each piece.
///
/// # Errors
/// Returns the first piece that was not proved, which does not imply that it is wrong.
pub fn verify(
    system: &System,
    candidate: &[Vec<SolvedPiece>],
    direction: Direction,
) -> Result<Vec<String>, Refusal> {
    let refused = match verify_as_it_is(system, candidate, direction) {
        Ok(lines) => return Ok(lines),
        Err(refused) => refused,
    };
    // A bound that is inductive over two unfoldings need not be inductive over one.
    let unfolded = match direction {
        Direction::Upper => unfold::halving(system),
        Direction::Lower => None,
    };
    unfolded
        .and_then(|system| verify_as_it_is(&system, candidate, direction).ok())
        .ok_or(refused)
}

/// Checks the candidate for the original equations.
fn verify_as_it_is(
    system: &System,
    candidate: &[Vec<SolvedPiece>],
    direction: Direction,
) -> Result<Vec<String>, Refusal> {
    let refined = refined(system, candidate);
    let system = refined.as_ref().unwrap_or(system);
    let graph = Graph::new(system);
    let mut fuel = VERIFY_FUEL;
    let measured = measure::components(system, &graph, &mut fuel);
    let mut checker = Checker {
        system,
        graph: &graph,
        measured: &measured,
        table: candidate,
        direction,
        fuel: &mut fuel,
    };
    let mut lines = Vec::new();
    for (function, pieces) in candidate.iter().enumerate() {
        for piece in pieces {
            match checker.piece(function, piece) {
                Ok(line) => lines.push(line),
                Err(why) => {
                    return Err(Refusal {
                        function,
                        region: piece.region.clone(),
                        why,
                    });
                }
            }
        }
    }
    Ok(lines)
}

/// Returns the system with its cells cut along the pieces, if some piece covers only part of a cell: the components of the finer cells are
/// smaller. Returns `None` if no cell needs to be cut.
fn refined(system: &System, candidate: &[Vec<SolvedPiece>]) -> Option<System> {
    let mut changed = false;
    let mut finer = system.clone();
    for (function, pieces) in finer.functions.iter_mut().zip(candidate) {
        let mut cells = Vec::new();
        for cell in &function.cells {
            if pieces.iter().any(|p| cell.region.implies_all(&p.region)) || pieces.len() > 40 {
                cells.push(cell.clone());
                continue;
            }
            changed = true;
            let mut left = vec![cell.region.clone()];
            for piece in pieces {
                let mut next = Vec::new();
                for region in left {
                    let inside = region.and_all(&piece.region);
                    if inside.is_empty() {
                        next.push(region);
                        continue;
                    }
                    cells.push(Cell {
                        region: inside.simplified(),
                        ..cell.clone()
                    });
                    next.extend(region.difference(&piece.region));
                }
                left = next;
            }
            cells.extend(left.into_iter().map(|region| Cell {
                region,
                ..cell.clone()
            }));
        }
        function.cells = cells;
    }
    changed.then_some(finer)
}
