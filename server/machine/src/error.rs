//! Outcomes of a goal other than success and failure: an exception, or a limit.

use crate::cell::Cell;

/// The limit that a run has reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
pub enum Limit {
    /// Calls and backtrackings.
    #[error("step limit")]
    Steps,
    /// Cells of heap, stacks and stored terms.
    #[error("memory limit")]
    Memory,
    /// Characters written.
    #[error("output limit")]
    Output,
    /// Wall-clock time, which is reported by the caller, who has the clock.
    #[error("time limit")]
    Time,
}

/// The reasons for which a built-in neither succeeds nor fails.
#[derive(Clone, Copy, Debug)]
pub enum Throw {
    /// `throw(Ball)`.
    Ball(Cell),
    /// A standard error, from which the engine builds `error(Formal, context(system:Name/Arity, Message))`.
    Error {
        /// The formal term, such as `type_error(integer, a)`.
        formal: Cell,
        /// The message in SWI-Prolog's context, or `None` if it is a variable.
        message: Option<Cell>,
    },
    /// A limit, which ends the run.
    Limit(Limit),
}

impl Throw {
    pub(crate) fn error(formal: Cell) -> Self {
        Throw::Error {
            formal,
            message: None,
        }
    }

    /// Adds a message to the context.
    #[must_use]
    pub fn because(self, message: Cell) -> Self {
        match self {
            Throw::Error { formal, .. } => Throw::Error {
                formal,
                message: Some(message),
            },
            other => other,
        }
    }
}
