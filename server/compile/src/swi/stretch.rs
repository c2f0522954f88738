//! A piece of a run of a clause.

/// The frame of the clause at its last call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Frame {
    /// No choice point is younger than the frame, and the predicate is defined: the call takes its place.
    Reused,
    /// A choice point is younger than the frame: it is kept, and the clause returns after the call.
    Kept,
    /// Reused or kept; it is not known which.
    Either,
}

/// The position of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    /// The next instruction.
    pub at: usize,
    /// False if the run may have left the clause: following instructions may not run.
    pub is_sure: bool,
}

/// The position of a run that has left the clause.
pub const LEFT: usize = usize::MAX;

/// A stretch of a run, with the instructions on its path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stretch {
    /// The instructions, in order, and whether each one certainly runs.
    pub(super) instructions: Vec<(usize, bool)>,
    /// The position at which the run continues if the last of them succeeds.
    pub to: Position,
    /// True if the last of them is a call.
    pub calls: bool,
}

impl Stretch {
    /// Creates an empty stretch.
    pub(super) fn from(from: Position) -> Self {
        Self {
            instructions: Vec::new(),
            to: from,
            calls: false,
        }
    }
}
