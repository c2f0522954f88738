//! User-described engines: a command that runs a file, and a goal that reads a clock.

use std::ffi::OsString;
use std::path::Path;
use std::sync::atomic::AtomicBool;

use crate::child::{self, ChildCommand};
use crate::engine::{Engine, Error, Progress, Version, WorkloadOutcome};
use crate::file::Dialect;
use crate::runner::{self, Compiled, PROGRAM, Starter};
use crate::timed::{Plan, Process, Workload};

/// An engine that is known only by its command line.
///
/// It must be an ISO Prolog with `:- initialization(…)`: the program starts by itself and ends with `halt/0`.
#[derive(Clone, Debug)]
pub struct Template {
    /// The name for users.
    pub name: String,
    /// The words of the command; `{file}` is replaced by the program's file: `["scryer-prolog", "{file}"]`.
    pub command: Vec<String>,
    /// The command that prints the version; empty if the engine has none.
    pub version: Vec<String>,
    /// The goal that binds `T` to the CPU time so far: `'$cpu_now'(T)`.
    pub clock: String,
    /// The number of seconds in one unit of the clock.
    pub unit: f64,
    /// Directives that the clock or the workloads need: `:- use_module(library(…)).`
    pub prelude: String,
}

impl Engine for Template {
    fn name(&self) -> String {
        self.name.clone()
    }

    fn version(&self) -> Result<Version, Error> {
        let mut version = Version {
            engine: self.name.clone(),
            version: "unknown".into(),
            build: "unknown".into(),
            flags: self.command.join(" "),
        };
        if let Some((program, arguments)) = self.version.split_first() {
            let call = ChildCommand::new(program, arguments);
            let ended = child::ask(&call)?;
            let said = String::from_utf8_lossy(&ended.stdout).into_owned();
            match said.lines().find(|line| !line.trim().is_empty()) {
                Some(line) => version.version = line.trim().to_owned(),
                None => return Err(self.broken(runner::last_words(&ended))),
            }
        }
        Ok(version)
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

impl Template {
    fn broken(&self, said: String) -> Error {
        Error::Broken {
            engine: self.name.clone(),
            said,
        }
    }
}

impl Starter for Template {
    fn dialect(&self) -> Dialect {
        let Self {
            prelude,
            clock,
            unit,
            ..
        } = self;
        Dialect {
            prelude: format!(
                "{prelude}\ncl_clock(Cl_Seconds) :- ({clock}\n), Cl_Seconds is T*{unit:?}.\n"
            ),
            count: "cl_count(Cl_N)",
            start: ":- initialization(cl_main).",
        }
    }

    fn compile(&self, text: &str, folder: &Path, _: &AtomicBool) -> Result<Compiled, Error> {
        std::fs::write(folder.join(PROGRAM), text)?;
        Ok(Compiled::Ready)
    }

    fn start(&self, folder: &Path, _: u32) -> Result<ChildCommand, Error> {
        let Some((program, arguments)) = self.command.split_first() else {
            return Err(self.broken("its command is empty".into()));
        };
        let file = folder.join(PROGRAM).into_os_string();
        let word = |word: &String| -> OsString {
            if word == "{file}" {
                file.clone()
            } else {
                word.into()
            }
        };
        Ok(ChildCommand::new(program, arguments.iter().map(word)))
    }
}
