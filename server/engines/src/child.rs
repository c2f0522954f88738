//! One child process within limits. However the child ends, its whole group ends with it.
//!
//! On Unix a short shell script sets the limits of CPU time and memory and then becomes the program (`exec`), so that the program never
//! runs without limits and this module needs no unsafe code. If util-linux is available (`Wrapper`), the child also ends when this process
//! is killed. If the system permits it, the child runs in its own process namespace, which not even a daemon can leave.

use std::ffi::OsString;
use std::io::{Read, Write};
use std::path::PathBuf;
use std::process::{Child, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

use crate::found;
use crate::group;
pub use crate::limits::{ChildLimit, End, Limits};

/// A program with its arguments.
#[derive(Clone, Debug, Default)]
pub struct ChildCommand {
    /// The program: a path, or a name to be looked up on `PATH`.
    pub program: OsString,
    /// The program's arguments.
    pub arguments: Vec<OsString>,
    /// Variables added to this process's environment.
    pub environment: Vec<(OsString, OsString)>,
    /// The child's working folder; `None` for the current folder.
    pub folder: Option<PathBuf>,
    /// The text for its standard input, which is then closed.
    pub input: Vec<u8>,
}

impl ChildCommand {
    /// Creates a call without input, in the current folder.
    pub fn new<A: Into<OsString>>(
        program: impl Into<OsString>,
        arguments: impl IntoIterator<Item = A>,
    ) -> Self {
        Self {
            program: program.into(),
            arguments: arguments.into_iter().map(Into::into).collect(),
            ..Self::default()
        }
    }
}

/// The outcome of a child, with its output.
#[derive(Clone, Debug)]
pub struct ChildOutcome {
    /// How the child ended.
    pub end: End,
    /// The child's standard output.
    pub stdout: Vec<u8>,
    /// The child's standard error.
    pub stderr: Vec<u8>,
}

/// The reason why no child ran.
#[derive(Debug, thiserror::Error)]
pub enum NotRun {
    /// The program was not found.
    #[error("the program `{}` was not found", .0.display())]
    Missing(OsString),
    /// The system did not start the program.
    #[error("`{}` could not be started: {source}", .program.display())]
    Start {
        /// The program.
        program: OsString,
        /// The system's error message.
        source: std::io::Error,
    },
    /// The system lost the child.
    #[error("`{}` could not be waited for: {source}", .program.display())]
    Wait {
        /// The program.
        program: OsString,
        /// The system's error message.
        source: std::io::Error,
    },
}

/// The longest time between two checks of a child. A cancelled child ends after at most this time plus the system's delay.
const TICK: Duration = Duration::from_millis(10);

/// The time limit for reading the remaining data from the pipes of a dead child. Reading takes longer only if a process has left the group
/// and keeps a pipe open.
const REST: Duration = Duration::from_secs(1);

/// Runs a short command to its end, within the usual limits.
///
/// # Errors
/// Returns the errors of [`run`].
pub(crate) fn ask(call: &ChildCommand) -> Result<ChildOutcome, NotRun> {
    run(
        call,
        &Limits::default(),
        &AtomicBool::new(false),
        &mut |_| {},
    )
}

/// Runs a program to its end, and passes its standard output on as it arrives.
///
/// # Errors
/// Returns an error if there is no such program, or if the system refuses to start it.
pub fn run(
    call: &ChildCommand,
    limits: &Limits,
    cancel: &AtomicBool,
    heard: &mut dyn FnMut(&[u8]),
) -> Result<ChildOutcome, NotRun> {
    let failed = |source| NotRun::Start {
        program: call.program.clone(),
        source,
    };
    let program =
        found::find(&call.program).ok_or_else(|| NotRun::Missing(call.program.clone()))?;
    let mut command = group::limited(&program, limits);
    command.args(&call.arguments).envs(call.environment.clone());
    if let Some(folder) = &call.folder {
        command.current_dir(folder);
    }
    // There is no terminal: a child without input reads end-of-file immediately.
    let input = if call.input.is_empty() {
        Stdio::null()
    } else {
        Stdio::piped()
    };
    command
        .stdin(input)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut guard = Guard(command.spawn().map_err(failed)?);
    let pieces = listen(&mut guard.0, call.input.clone());
    let mut output = Output::default();
    let end = watch(&mut guard.0, limits, cancel, &pieces, &mut output, heard).map_err(|source| {
        NotRun::Wait {
            program: call.program.clone(),
            source,
        }
    });
    drop(guard);
    let end = end?;
    output.rest(&pieces, limits.output, heard);
    Ok(ChildOutcome {
        end,
        stdout: output.stdout,
        stderr: output.stderr,
    })
}

/// A guard that, when dropped, kills the child's group and reaps the child, also after an error or a panic.
struct Guard(Child);

impl Drop for Guard {
    fn drop(&mut self) {
        group::kill(&mut self.0);
        // The child is dead, so this only waits for the system.
        let _ = self.0.wait();
    }
}

/// A piece of output.
enum OutputPiece {
    Stdout(Vec<u8>),
    Stderr(Vec<u8>),
    Closed,
}

/// Starts threads that write to the child and read from it. They end with the pipes, or when the receiver is dropped.
fn listen(child: &mut Child, input: Vec<u8>) -> Receiver<OutputPiece> {
    // The channel is bounded, so a child that floods its output has to wait.
    let (sender, receiver) = sync_channel(16);
    if let Some(mut stdin) = child.stdin.take() {
        thread::spawn(move || {
            // A child that reads no input ends with its group, which breaks the pipe.
            let _ = stdin.write_all(&input);
        });
    }
    if let Some(stdout) = child.stdout.take() {
        read(stdout, sender.clone(), OutputPiece::Stdout);
    }
    if let Some(stderr) = child.stderr.take() {
        read(stderr, sender, OutputPiece::Stderr);
    }
    receiver
}

fn read(
    mut from: impl Read + Send + 'static,
    to: SyncSender<OutputPiece>,
    piece: fn(Vec<u8>) -> OutputPiece,
) {
    thread::spawn(move || {
        let mut buffer = vec![0; 1 << 16];
        while let Ok(n @ 1..) = from.read(&mut buffer) {
            if to.send(piece(buffer[..n].to_vec())).is_err() {
                return;
            }
        }
        let _ = to.send(OutputPiece::Closed);
    });
}

/// The output so far.
#[derive(Default)]
struct Output {
    stdout: Vec<u8>,
    stderr: Vec<u8>,
    closed: u8,
}

impl Output {
    /// Appends as much of a piece as the limit permits. Returns whether the whole piece was appended.
    fn take(&mut self, piece: OutputPiece, limit: usize, heard: &mut dyn FnMut(&[u8])) -> bool {
        let room = limit - self.stdout.len() - self.stderr.len();
        match piece {
            OutputPiece::Stdout(bytes) => {
                let kept = &bytes[..bytes.len().min(room)];
                self.stdout.extend_from_slice(kept);
                heard(kept);
                bytes.len() <= room
            }
            OutputPiece::Stderr(bytes) => {
                self.stderr
                    .extend_from_slice(&bytes[..bytes.len().min(room)]);
                bytes.len() <= room
            }
            OutputPiece::Closed => {
                self.closed += 1;
                true
            }
        }
    }

    /// Reads the pipes of a dead child to the end.
    fn rest(&mut self, pieces: &Receiver<OutputPiece>, limit: usize, heard: &mut dyn FnMut(&[u8])) {
        let end = Instant::now() + REST;
        while self.closed < 2 {
            let left = end.saturating_duration_since(Instant::now());
            match pieces.recv_timeout(left) {
                Ok(piece) => {
                    self.take(piece, limit, heard);
                }
                Err(_) => return,
            }
        }
    }
}

/// Watches a child until it ends or has to be ended.
fn watch(
    child: &mut Child,
    limits: &Limits,
    cancel: &AtomicBool,
    pieces: &Receiver<OutputPiece>,
    output: &mut Output,
    heard: &mut dyn FnMut(&[u8]),
) -> std::io::Result<End> {
    let begin = Instant::now();
    let mut last = begin;
    loop {
        if cancel.load(Ordering::Relaxed) {
            return Ok(End::Cancelled);
        }
        if let Some(end) = group::ended(child)? {
            return Ok(cpu_limit(end, begin.elapsed(), limits));
        }
        if begin.elapsed() > limits.wall {
            return Ok(End::Limit(ChildLimit::Wall));
        }
        if limits.silence.is_some_and(|most| last.elapsed() > most) {
            return Ok(End::Limit(ChildLimit::Silence));
        }
        // With both pipes closed, the child is about to end.
        if output.closed == 2 {
            thread::sleep(TICK / 10);
            continue;
        }
        match pieces.recv_timeout(TICK) {
            Ok(piece) => {
                last = Instant::now();
                if !output.take(piece, limits.output, heard) {
                    return Ok(End::Limit(ChildLimit::Output));
                }
            }
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => output.closed = 2,
        }
    }
}

/// If a child was killed because of its CPU time, returns the CPU limit as its end: the system sends SIGXCPU, and SIGKILL if the child
/// ignores that.
fn cpu_limit(end: End, elapsed: Duration, limits: &Limits) -> End {
    match end {
        End::Signal(group::SIGXCPU | group::SIGKILL)
            if limits.cpu.is_some_and(|most| elapsed >= most) =>
        {
            End::Limit(ChildLimit::Cpu)
        }
        _ => end,
    }
}
