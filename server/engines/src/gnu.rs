//! GNU Prolog, which compiles to native code with `gplc`.
//!
//! The times of a loop in byte-identical copies of one executable differ by up to half, and each copy's time is stable: both the placement
//! of its pages in memory and the position of its code matter. Therefore each order of the workloads is compiled separately, and each
//! resulting executable runs from several fresh copies.

use std::ffi::OsString;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use crate::child::{self, ChildCommand, End, Limits};
use crate::engine::{Engine, Error, Progress, Version, WorkloadOutcome};
use crate::file::Dialect;
use crate::runner::{self, Compiled, PROGRAM, Starter};
use crate::timed::{Plan, Process, Workload};

const CLOCK: &str = "clock.c";
const EXECUTABLE: &str = "workloads";

/// The stack sizes in KiB: the system never collects garbage, and exits if a stack is full. Untouched pages take no memory; with more than
/// 2 GiB in total it does not start.
const STACKS: &[(&str, &str)] = &[
    ("LOCALSZ", "524288"),
    ("GLOBALSZ", "1048576"),
    ("TRAILSZ", "262144"),
];

fn stacks() -> Vec<(OsString, OsString)> {
    (STACKS.iter())
        .map(|&(name, size)| (name.into(), size.into()))
        .collect()
}

/// GNU Prolog.
#[derive(Clone, Debug)]
pub struct GnuProlog {
    /// The compiler: a path, or a name on `PATH`.
    pub compiler: OsString,
    /// The number of copies of the executable for each process of the plan.
    pub copies: u32,
}

impl Default for GnuProlog {
    fn default() -> Self {
        Self {
            compiler: "gplc".into(),
            copies: 4,
        }
    }
}

const FLAGS: &[&str] = &["--no-top-level", "--no-singl-warn", "--no-susp-warn"];

impl Engine for GnuProlog {
    fn name(&self) -> String {
        "GNU Prolog".into()
    }

    fn version(&self) -> Result<Version, Error> {
        let call = ChildCommand::new(&self.compiler, ["--version"]);
        let ended = child::ask(&call)?;
        // GNU Prolog reports this on standard error.
        let said = String::from_utf8_lossy(&[ended.stdout.clone(), ended.stderr.clone()].concat())
            .into_owned();
        let line = said
            .lines()
            .find(|line| !line.is_empty())
            .unwrap_or_default();
        // Prolog compiler (GNU Prolog) 1.4.5
        match line.rsplit_once(' ') {
            Some((_, version)) if line.contains("GNU Prolog") => Ok(Version {
                engine: "GNU Prolog".into(),
                version: version.to_owned(),
                build: format!("{} native code", std::env::consts::ARCH),
                flags: FLAGS.join(" "),
            }),
            _ => Err(Error::Broken {
                engine: Engine::name(self),
                said: runner::last_words(&ended),
            }),
        }
    }

    fn time(
        &self,
        workloads: &[Workload],
        plan: &Plan,
        before: &[Process],
        progress: &mut dyn FnMut(Progress),
        cancel: &AtomicBool,
    ) -> Result<Vec<WorkloadOutcome>, Error> {
        runner::time(self, workloads, plan, before, progress, cancel)
    }
}

impl Starter for GnuProlog {
    fn dialect(&self) -> Dialect {
        Dialect {
            prelude: ":- foreign(cl_clock(-float)).".into(),
            count: "between(1, Cl_N, _)",
            start: ":- initialization(cl_main).",
        }
    }

    fn copies(&self) -> u32 {
        self.copies.max(1)
    }

    fn compile(&self, text: &str, folder: &Path, cancel: &AtomicBool) -> Result<Compiled, Error> {
        std::fs::write(folder.join(PROGRAM), text)?;
        std::fs::write(folder.join(CLOCK), include_str!("clock.c"))?;
        let mut call = ChildCommand::new(&self.compiler, FLAGS);
        call.arguments
            .extend(["--temp-dir", ".", "-o", EXECUTABLE, PROGRAM, CLOCK].map(OsString::from));
        call.folder = Some(folder.to_path_buf());
        // The compiler is itself a GNU Prolog program, and reads the whole file before it writes code.
        call.environment = stacks();
        let limits = Limits {
            wall: Duration::from_secs(300),
            cpu: Some(Duration::from_secs(300)),
            ..Limits::default()
        };
        let ended = child::run(&call, &limits, cancel, &mut |_| {})?;
        match ended.end {
            End::Exited(0) => Ok(Compiled::Ready),
            End::Cancelled => Err(Error::Cancelled),
            _ => Ok(Compiled::Refused(runner::last_words(&ended))),
        }
    }

    fn start(&self, folder: &Path, copy: u32) -> Result<ChildCommand, Error> {
        let fresh = format!("{EXECUTABLE}-{copy}");
        // Copy with a separate program: a file that this process has open for writing, or a child that another thread is just starting,
        // cannot be executed.
        let mut cp = ChildCommand::new("cp", [EXECUTABLE, &fresh]);
        cp.folder = Some(folder.to_path_buf());
        let ended = child::ask(&cp)?;
        if ended.end != End::Exited(0) {
            return Err(std::io::Error::other(runner::last_words(&ended)).into());
        }
        let mut call = ChildCommand::new::<OsString>(folder.join(fresh), []);
        call.environment = stacks();
        Ok(call)
    }
}
