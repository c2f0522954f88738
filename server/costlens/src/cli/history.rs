//! `costlens history`: runs of the user's own Prolog system, for `costlens predict`.

mod recorded;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use anyhow::{Context as _, bail};
use clap::{Args, Subcommand};
use costlens_history::store::{Limits, keep_all};
use costlens_history::{Program, Run, SUPPORT};
use costlens_machine::Indexing;
use costlens_program::Functor;

use self::recorded::{FileLines, ProgramState, RunLine};
use super::output::{Log, print};
use super::recording::{WORKSPACE, named};
use super::{CommandOutcome, running};
use crate::prediction::call::{code_of, program};

#[derive(Args)]
pub(super) struct Options {
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand)]
enum What {
    /// Prints a SWI-Prolog library that records the goals that your programs pass to `recorded/1`.
    Support {
        /// Write the library to this file instead: `costlens_history.pl`.
        file: Option<PathBuf>,
    },
    /// Imports the recorded runs of a program into the history of its workspace.
    Import(Import),
}

#[derive(Args)]
struct Import {
    /// The program, which is not run.
    program: PathBuf,
    /// The file of recorded runs. Default: `runs.jsonl` next to the history. The lines of the program are removed from the file; lines of other
    /// programs are kept.
    recorded: Option<PathBuf>,
    /// The file of past runs. Default: `.costlens/history.db` in the workspace.
    #[arg(long, value_name = "FILE")]
    history: Option<PathBuf>,
}

/// The name of the file that the library writes.
const RECORDED: &str = "runs.jsonl";

pub(super) fn run(options: &Options, log: &Log) -> anyhow::Result<CommandOutcome> {
    match &options.what {
        What::Support { file: None } => print(SUPPORT)?,
        What::Support { file: Some(file) } => {
            let wrong = || format!("cannot write `{}`", file.display());
            std::fs::write(file, SUPPORT).with_context(wrong)?;
        }
        What::Import(import) => import.run(log)?,
    }
    Ok(CommandOutcome::Fine)
}

impl Import {
    fn run(&self, log: &Log) -> anyhow::Result<()> {
        let workspace = Path::new(WORKSPACE);
        let history = named(self.history.as_deref().unwrap_or(workspace), &self.program);
        let recorded = match &self.recorded {
            Some(file) => file.clone(),
            None => history.with_file_name(RECORDED),
        };
        if !recorded.try_exists().unwrap_or(false) {
            bail!(
                "there is no `{}`: load the library of `costlens history support` in your program, and call `recorded(Goal)`",
                recorded.display()
            );
        }
        let read = running::read_file(&self.program, log)?;
        let clauses = program(&read.program);
        let files: Vec<PathBuf> = { read.program.parts.iter() }
            .filter_map(|part| Path::new(&part.name).canonicalize().ok())
            .collect();
        // If another process records in the meantime, it creates a new file.
        let taken = recorded.with_extension("jsonl.taken");
        if taken.try_exists().unwrap_or(false) {
            bail!(
                "`{}` is left of an import that was broken off: put its lines back into `{}`, or remove it",
                taken.display(),
                recorded.display()
            );
        }
        let wrong = || format!("cannot rename `{}`", recorded.display());
        std::fs::rename(&recorded, &taken).with_context(wrong)?;
        let result = self.take(&taken, &recorded, &history, &clauses, &files, log);
        if result.is_err() && !recorded.try_exists().unwrap_or(true) {
            let _ = std::fs::rename(&taken, &recorded);
        }
        result
    }

    fn take(
        &self,
        taken: &Path,
        recorded: &Path,
        history: &Path,
        clauses: &Program,
        files: &[PathBuf],
        log: &Log,
    ) -> anyhow::Result<()> {
        let wrong = || format!("cannot read `{}`", taken.display());
        let text = std::fs::read_to_string(taken).with_context(wrong)?;
        let lines = FileLines::read(&text);
        let mut codes: BTreeMap<Functor, String> = BTreeMap::new();
        let mut runs = Vec::new();
        let (mut old, mut others) = (0, Vec::new());
        for line in &lines.runs {
            match lines.state(line, files) {
                ProgramState::Other => others.push(line),
                _ if !clauses.clauses.contains_key(&line.predicate()) => others.push(line),
                ProgramState::Changed => old += 1,
                ProgramState::Present(engine) => {
                    let code = codes.entry(line.predicate());
                    let code = code.or_insert_with_key(|predicate| {
                        code_of(clauses, predicate, Indexing::FirstArgument)
                    });
                    runs.push(line.run(engine, code.clone()));
                }
            }
        }
        if !runs.is_empty() {
            let set_aside = keep_all(history, &runs, &Limits::default(), SystemTime::now())?;
            if let Some(set_aside) = set_aside {
                log.warning(&set_aside.to_string());
            }
        }
        let left = lines.text_of(&others);
        if !left.is_empty() {
            append(recorded, &left)
                .with_context(|| format!("cannot write `{}`", recorded.display()))?;
        }
        std::fs::remove_file(taken)
            .with_context(|| format!("cannot remove `{}`", taken.display()))?;
        print(&summary(&runs, history))?;
        if old > 0 {
            log.warning(&format!(
                "{} of the program as it was before a file of it was changed: left out",
                counted(old)
            ));
        }
        if !others.is_empty() {
            log.progress(&format!(
                "{} of other programs, or of predicates that this one does not define: left in `{}`",
                counted(others.len()),
                recorded.display()
            ));
        }
        if lines.malformed > 0 {
            log.warning(&format!(
                "{} lines could not be read: left out",
                lines.malformed
            ));
        }
        Ok(())
    }
}

fn counted(runs: usize) -> String {
    match runs {
        1 => "one run is".to_owned(),
        n => format!("{n} runs are"),
    }
}

/// Formats the number of stored runs of each predicate.
fn summary(runs: &[Run], history: &Path) -> String {
    if runs.is_empty() {
        return "no run of the program as it is now was recorded\n".to_owned();
    }
    let mut by: BTreeMap<(String, &str), usize> = BTreeMap::new();
    for run in runs {
        let (name, arity) = &run.predicate;
        *by.entry((format!("{name}/{arity}"), &run.platform))
            .or_default() += 1;
    }
    let lines = { by.iter() }.map(|((predicate, engine), count)| {
        let runs = if *count == 1 { "run" } else { "runs" };
        format!("{predicate}: {count} {runs} on {engine}\n")
    });
    let kept: String = lines.collect();
    format!("{kept}kept in `{}`\n", history.display())
}

/// Appends to a file in a single write, since other processes may write to it.
fn append(path: &Path, text: &str) -> std::io::Result<()> {
    use std::io::Write as _;
    let mut file = std::fs::OpenOptions::new()
        .create(true)
        .append(true)
        .open(path)?;
    file.write_all(text.as_bytes())
}

impl RunLine {
    fn predicate(&self) -> Functor {
        Functor::new(self.predicate.as_str(), self.arity)
    }

    /// Converts a recorded run to the history's form. Its time is CPU time.
    fn run(&self, engine: &str, code: String) -> Run {
        Run {
            predicate: (self.predicate.as_str().into(), self.arity),
            code,
            at: self.at,
            source: "recorded".to_owned(),
            all: false,
            succeeded: self.succeeded,
            platform: engine.to_owned(),
            ns: self.cpu,
            inputs: self.inputs(),
            counts: Vec::new(),
            amounts: vec![("inferences".into(), self.inferences)],
        }
    }
}
