//! Whether regions are empty, asked once.
//!
//! A clause is run in many worlds, a recurrence is unfolded at many calls, and each time the same few conjunctions are asked for a
//! contradiction. Elimination costs a hundred times what it costs to find the question among the last ones.

use std::cell::RefCell;

use rustc_hash::FxHashMap;

use super::Constraint;
use crate::work;

/// Regions that are remembered at most, a few megabytes; then all are forgotten.
const MOST: usize = 16_384;

thread_local! {
    /// Outside of results: it decides how long an answer takes, never which one it is, nor what it is charged.
    static KNOWN: RefCell<FxHashMap<Vec<Constraint>, Known>> = RefCell::default();
}

#[derive(Clone, Copy)]
struct Known {
    is_empty: bool,
    /// What it took to find out: it is charged each time, so that fuel does not depend on what was asked before.
    work: u64,
}

/// The answer for a conjunction, from what is remembered or from elimination.
pub(super) fn known_or(constraints: &[Constraint], eliminate: impl FnOnce() -> bool) -> bool {
    if let Some(known) = KNOWN.with_borrow(|all| all.get(constraints).copied()) {
        work::add_units(known.work);
        return known.is_empty;
    }
    let before = work::done();
    let is_empty = eliminate();
    let work = work::done().wrapping_sub(before);
    KNOWN.with_borrow_mut(|all| {
        if all.len() >= MOST {
            all.clear();
        }
        all.insert(constraints.to_vec(), Known { is_empty, work });
    });
    is_empty
}
