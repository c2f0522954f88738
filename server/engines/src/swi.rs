//! SWI-Prolog.

use std::ffi::OsString;
use std::path::Path;
use std::sync::atomic::AtomicBool;

use crate::child::{self, ChildCommand};
use crate::engine::{Engine, Error, Progress, Version, WorkloadOutcome};
use crate::file::Dialect;
use crate::runner::{self, Compiled, PROGRAM, Starter};
use crate::timed::{Plan, Process, Workload};

/// SWI-Prolog.
#[derive(Clone, Debug)]
pub struct SwiProlog {
    /// The program: a path, or a name to be looked up on `PATH`.
    pub program: OsString,
    /// Compiles with `-O`, which compiles arithmetic to instructions.
    pub optimise: bool,
}

impl SwiProlog {
    /// Returns `swipl` on `PATH`.
    #[must_use]
    pub fn new(optimise: bool) -> Self {
        Self {
            program: "swipl".into(),
            optimise,
        }
    }

    pub(crate) fn flags(&self) -> &'static [&'static str] {
        if self.optimise { &["-O"] } else { &[] }
    }

    fn said(&self, argument: &str) -> Result<String, Error> {
        let call = ChildCommand::new(&self.program, [argument]);
        let ended = child::ask(&call)?;
        if ended.end == child::End::Exited(0) {
            return Ok(String::from_utf8_lossy(&ended.stdout).trim().to_owned());
        }
        Err(Error::Broken {
            engine: Engine::name(self),
            said: runner::last_words(&ended),
        })
    }
}

impl Engine for SwiProlog {
    fn name(&self) -> String {
        ["SWI-Prolog"]
            .iter()
            .chain(self.flags())
            .copied()
            .collect::<Vec<_>>()
            .join(" ")
    }

    fn version(&self) -> Result<Version, Error> {
        let version = self.said("--version")?;
        // SWI-Prolog version 9.0.4 for x86_64-linux
        let number = version
            .split_whitespace()
            .find(|word| word.starts_with(|c: char| c.is_ascii_digit()));
        let build = self.said("--dump-runtime-variables")?;
        let wanted = ["PLARCH=", "PLBITS=", "PLTHREADS=", "PLSHARED="];
        let lines = build
            .lines()
            .filter(|line| wanted.iter().any(|w| line.starts_with(w)));
        Ok(Version {
            engine: "SWI-Prolog".into(),
            version: number.unwrap_or(&version).to_owned(),
            build: lines
                .map(|line| line.trim_end_matches(';').replace('"', ""))
                .collect::<Vec<_>>()
                .join(" "),
            flags: self.flags().join(" "),
        })
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

impl Starter for SwiProlog {
    fn dialect(&self) -> Dialect {
        Dialect {
            prelude: include_str!("swi.pl").to_owned(),
            count: "between(1, Cl_N, _)",
            start: "",
        }
    }

    /// Does nothing, since loading compiles: clauses with syntax errors are reported at that point and affect only their own loop.
    fn compile(&self, text: &str, folder: &Path, _: &AtomicBool) -> Result<Compiled, Error> {
        std::fs::write(folder.join(PROGRAM), text)?;
        Ok(Compiled::Ready)
    }

    /// Starts the program without user files: no init file, no site file, no add-ons.
    fn start(&self, folder: &Path, _: u32) -> Result<ChildCommand, Error> {
        let mut call = ChildCommand::new(&self.program, self.flags());
        let options = [
            "-f",
            "none",
            "-F",
            "none",
            "--no-packs",
            "--no-tty",
            "-q",
            "--stack-limit=2g",
        ];
        call.arguments.extend(options.map(OsString::from));
        call.arguments
            .extend(["-g", "cl_main", "-t", "halt(1)"].map(OsString::from));
        call.arguments.push(folder.join(PROGRAM).into());
        Ok(call)
    }
}
