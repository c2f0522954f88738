//! The pieces of a solution, merged wherever the merged piece can still be proved.

use std::collections::BTreeMap;

use crate::solver::merge;
use crate::solver::quality::Quality;
use crate::solver::state::SolverState;
use crate::system::SolvedPiece;

/// The maximum number of functions that are merged one by one if their merged pieces cannot be proved together.
const MERGE_LIMIT: usize = 6;

/// The solution for one choice of cells.
pub(crate) struct Solved {
    /// The pieces after merging, where they are still proved.
    pub(crate) merged: Vec<Vec<SolvedPiece>>,
    /// One piece per cell.
    pub(crate) plain: Vec<Vec<SolvedPiece>>,
    pub(crate) proof: Vec<(usize, String)>,
    pub(crate) quality: Quality,
}

/// Returns the pieces, merged where they are still proved, and the descriptions of their proofs.
pub(crate) fn finish(state: &mut SolverState<'_>, quality: Quality) -> Solved {
    let plain = state.table(&BTreeMap::new());
    let mut table = plain.clone();
    let mut changed = Vec::new();
    for f in 0..table.len() {
        let merged = merge::pieces(&plain[f]);
        if merged.len() < plain[f].len() {
            table[f] = merged;
            changed.push(f);
        }
    }
    let mut proof = Vec::new();
    let mut proved = !changed.is_empty() && checked(state, &table, &mut proof);
    if !proved && (2..=MERGE_LIMIT).contains(&changed.len()) {
        // The merged pieces cannot be proved together: keep those that can be proved individually.
        let mut kept = plain.clone();
        for f in changed {
            let before = std::mem::replace(&mut kept[f], table[f].clone());
            let mut lines = Vec::new();
            if checked(state, &kept, &mut lines) {
                proof = lines;
                proved = true;
            } else {
                kept[f] = before;
            }
        }
        table = kept;
    }
    if proved {
        return Solved {
            merged: table,
            plain,
            proof,
            quality,
        };
    }
    proof.clear();
    for (&(f, _), how) in &state.how {
        proof.push((f, how.clone()));
    }
    Solved {
        merged: plain.clone(),
        plain,
        proof,
        quality,
    }
}

/// Proves all pieces of a table, and adds a description of each proof.
fn checked(
    state: &mut SolverState<'_>,
    table: &[Vec<SolvedPiece>],
    proof: &mut Vec<(usize, String)>,
) -> bool {
    for (f, pieces) in table.iter().enumerate() {
        for piece in pieces {
            // Unchanged pieces with unchanged callees would be proved again, but checking all pieces is simple and fast.
            match state.check(table, f, piece) {
                Ok(line) => {
                    // The form was inferred for the cell with the most calls; base cases fit any form.
                    let how = state
                        .how
                        .iter()
                        .filter(|((g, c), _)| {
                            *g == f
                                && state.system.functions[f].cells[*c]
                                    .region
                                    .implies_all(&piece.region)
                        })
                        .max_by_key(|((_, c), _)| {
                            let alternatives =
                                state.system.functions[f].cells[*c].alternatives.iter();
                            alternatives.map(|a| a.results.len()).max()
                        })
                        .map(|(_, how)| how.split("; ").next().unwrap_or_default())
                        .unwrap_or_default();
                    proof.push((f, format!("{how}; {line}")));
                }
                Err(_) => return false,
            }
        }
    }
    true
}
