//! Limits of a child, and the ways that it can end.

use std::time::Duration;

/// Limits of a child.
#[derive(Clone, Debug)]
pub struct Limits {
    /// Time on the clock.
    pub wall: Duration,
    /// CPU time of each process, in whole seconds, rounded up. Unix only. A limit makes the clock of CPU time advance by ticks
    /// of milliseconds (Linux), so that a process that reads it gets none.
    pub cpu: Option<Duration>,
    /// Address space of each process, in bytes. Whoever asks for more gets none, and ends as it ends then. Unix, but not macOS.
    pub memory: u64,
    /// Bytes on standard output and standard error together.
    pub output: usize,
    /// The longest time without output.
    pub silence: Option<Duration>,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            wall: Duration::from_secs(60),
            cpu: Some(Duration::from_secs(60)),
            memory: 8 << 30,
            output: 16 << 20,
            silence: None,
        }
    }
}

/// A limit that a child has hit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// Time on the clock.
    Wall,
    /// CPU time.
    Cpu,
    /// Bytes of output.
    Output,
    /// Time without output.
    Silence,
}

/// The end of a child.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// By itself, with a code.
    Exited(i32),
    /// By a signal that we did not send. In a namespace of its own an exit code above 128 counts as one, too, as in a shell.
    Signal(i32),
    /// By us, at a limit.
    Limit(Limit),
    /// By us, when asked to.
    Cancelled,
}
