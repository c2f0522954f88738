//! The limits of a child, and the ways in which a child can end.

use std::time::Duration;

/// Limits of a child.
#[derive(Clone, Debug)]
pub struct Limits {
    /// The limit on wall time.
    pub wall: Duration,
    /// The limit on CPU time of each process, in whole seconds, rounded up; Unix only. On Linux a limit makes the CPU clock advance in
    /// ticks of milliseconds, so processes that read this clock must have no limit.
    pub cpu: Option<Duration>,
    /// The limit on the address space of each process, in bytes. Allocations beyond it fail in the process. Unix, but not macOS.
    pub memory: u64,
    /// The limit on bytes on standard output and standard error together.
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

/// A limit that a child has exceeded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChildLimit {
    /// The limit on wall time.
    Wall,
    /// The limit on CPU time.
    Cpu,
    /// The limit on bytes of output.
    Output,
    /// The limit on time without output.
    Silence,
}

/// How a child ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// The child exited by itself, with this code.
    Exited(i32),
    /// The child was ended by a signal that this process did not send. In a process namespace, an exit code above 128 also counts as a
    /// signal, as in a shell.
    Signal(i32),
    /// This process ended the child at a limit.
    Limit(ChildLimit),
    /// This process ended the child on request.
    Cancelled,
}
