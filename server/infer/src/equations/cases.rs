//! The cases of a callee's cost at a call with sizes that are not known exactly.
//!
//! ```prolog
//! acc([P|Ps], A, R) :- sum(P, A, B), acc(Ps, B, R).      % sum/3 takes the length of the shorter list
//! ```
//!
//! Each case is an alternative. If the length of A is the cost, A is shorter than some P. Most systems are solved without such constraints,
//! and have fewer cases then.

use std::cell::Cell;

use crate::world::lookup::CallArguments;

/// The treatment of the cases of callees.
#[derive(Default)]
pub(crate) struct Cases {
    kept: Cell<bool>,
    left_out: Cell<bool>,
}

impl Cases {
    /// Returns whether alternatives get the constraints that the cases at a call imply. If not, this is noted.
    pub(crate) fn are_kept(&self, at: &CallArguments<'_>) -> bool {
        let kept = self.kept.get();
        if !kept && at.has_unknown() {
            self.left_out.set(true);
        }
        kept
    }

    /// Runs something with constraints from cases, if some were left out since the last time.
    pub(crate) fn with<T>(&self, run: impl FnOnce() -> T) -> Option<T> {
        if !self.left_out.take() {
            return None;
        }
        self.kept.set(true);
        let done = run();
        self.kept.set(false);
        Some(done)
    }
}
