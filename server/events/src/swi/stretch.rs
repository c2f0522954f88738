//! A piece of a run of a clause.

/// The frame of the clause at its last call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Frame {
    /// No choice point is younger than it, and the predicate is defined: the call takes its place.
    Reused,
    /// A choice point is: it is kept, and the clause returns behind the call.
    Kept,
    /// One or the other.
    Either,
}

/// Where a run is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    /// The next instruction.
    pub at: usize,
    /// False where the run may have left the clause: what comes next is counted as perhaps.
    pub is_sure: bool,
}

/// The place of a run that has left the clause.
pub const LEFT: usize = usize::MAX;

/// A stretch of a run: what it passes on its way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stretch {
    /// The instructions, in order, and whether each one surely runs.
    pub(super) instructions: Vec<(usize, bool)>,
    /// Where the run goes on, if the last of them succeeds.
    pub to: Position,
    /// True where the last of them is a call.
    pub calls: bool,
}

impl Stretch {
    /// Nothing yet.
    pub(super) fn from(from: Position) -> Self {
        Self {
            instructions: Vec::new(),
            to: from,
            calls: false,
        }
    }
}
