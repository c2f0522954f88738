//! Limits of a child, and the ways in which it can end.

use std::time::Duration;

/// Limits of a child.
#[derive(Clone, Debug)]
pub struct Limits {
    /// The limit of wall time.
    pub wall: Duration,
    /// The limit of CPU time of each process, in whole seconds, rounded up; Unix only. A limit makes the CPU clock advance by ticks of
    /// milliseconds (Linux), so a process that reads that clock gets none.
    pub cpu: Option<Duration>,
    /// The limit of address space of each process, in bytes. Allocations beyond it fail in the process. Unix, but not macOS.
    pub memory: u64,
    /// The limit of bytes on standard output and standard error together.
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
    /// The limit of wall time.
    Wall,
    /// The limit of CPU time.
    Cpu,
    /// The limit of bytes of output.
    Output,
    /// The limit of time without output.
    Silence,
}

/// The end of a child.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// The child exited by itself, with this code.
    Exited(i32),
    /// The child was ended by a signal that we did not send. In a namespace of its own an exit code above 128 also counts as a signal, as
    /// in a shell.
    Signal(i32),
    /// We ended the child at a limit.
    Limit(Limit),
    /// We ended the child on request.
    Cancelled,
}
