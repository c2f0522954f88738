//! A part of a run of a clause.

/// The frame of the clause after its last call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FrameState {
    /// No choice point is newer than the frame, and the predicate is defined: the call reuses the frame.
    Reused,
    /// A choice point is newer than the frame: the frame is kept, and the clause returns after the call.
    Kept,
    /// Unknown: reused or kept.
    Either,
}

/// The position of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    /// The next instruction.
    pub at: usize,
    /// False if the run may have left the clause, so that the following instructions may not run.
    pub is_sure: bool,
}

/// The position of a run that has left the clause.
pub const LEFT: usize = usize::MAX;

/// A stretch of a run, with the instructions on its path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stretch {
    /// The instructions in order, each with a flag: true if it certainly runs.
    pub(super) instructions: Vec<(usize, bool)>,
    /// The position at which the run continues if the last instruction succeeds.
    pub to: Position,
    /// True if the last instruction is a call.
    pub calls: bool,
}

impl Stretch {
    /// Creates an empty stretch.
    pub(super) fn starting_at(from: Position) -> Self {
        Self {
            instructions: Vec::new(),
            to: from,
            calls: false,
        }
    }
}
