//! The command line: options, commands and exit codes.

mod bounds;
mod calibrate;
mod certificate;
mod check;
mod code;
mod completions;
mod crossover;
mod diff;
mod explain;
mod files;
mod fix;
mod history;
mod json;
mod lockfile;
mod manual;
mod output;
mod platforms;
mod predict;
mod profile;
mod recording;
mod remembered;
mod report;
mod resources;
mod run;
mod running;
mod sizes;
mod snapshot;
mod summary;
mod traces;
mod unified;
mod validate;
mod verify;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, CommandFactory as _, Parser, Subcommand, ValueEnum};
use costlens_ide::settings::Dialect;

use self::remembered::CacheOptions;
use crate::disk::libraries::Libraries;
use crate::disk::project::{self, ProjectFile};
pub(crate) use crate::profiling::interrupted;

/// Costlens says what each Prolog predicate costs.
#[derive(Parser)]
#[command(name = "costlens", version, about)]
struct Arguments {
    #[command(flatten)]
    shared: Shared,
    #[command(subcommand)]
    command: Command,
}

/// Options of every command.
#[derive(Args)]
struct Shared {
    /// Print only results and errors.
    #[arg(short, long, global = true)]
    quiet: bool,
    /// Print more messages on standard error; repeat the option for even more.
    #[arg(short, long, global = true, action = clap::ArgAction::Count)]
    verbose: u8,
    /// Write messages to this file instead of standard error, and also log each step and its duration; `COSTLENS_LOG` filters the steps.
    #[arg(long, global = true, value_name = "FILE")]
    log_file: Option<PathBuf>,
    /// Exit with 0 instead of 1.
    #[arg(long, global = true)]
    exit_zero: bool,
    #[command(flatten)]
    color: colorchoice_clap::Color,
}

#[derive(Subcommand)]
enum Command {
    /// Runs the language server on standard input and output.
    Lsp {
        /// The transport, for clients that name it; no other transport is supported.
        #[arg(long)]
        stdio: bool,
        #[command(flatten)]
        cache: CacheOptions,
    },
    /// Prints the inferred bounds of every predicate.
    Bounds(bounds::Options),
    /// Verifies the assertions of files.
    Check(check::Options),
    /// Writes the bounds of every predicate to a lockfile, for `check --against`.
    Snapshot(snapshot::Options),
    /// Reports the predicates that became more expensive since a Git revision.
    Diff(diff::Options),
    /// Explains how a predicate's bounds are derived, or why there are none.
    Explain(explain::Options),
    /// Lists, shows or applies cheaper variants of predicates.
    Fix(fix::Options),
    /// Checks certificates of bounds, with a checker that shares no code with inference.
    Verify(verify::Options),
    /// Runs a goal of a program on the embedded machine.
    Run(run::Options),
    /// Measures the resources that a goal uses, for each cost centre (a predicate or a literal) and each caller.
    Profile(profile::Options),
    /// Runs a predicate on generated inputs and compares the counts with its bounds.
    Validate(validate::Options),
    /// Writes a report on a workspace: predicates by class, assertions by verdict, most expensive call chains, and causes of unknown bounds.
    Report(report::Options),
    /// Predicts steps, events and time of one call from bounds and past runs, without running the program.
    Predict(predict::Options),
    /// Imports runs of your own SWI-Prolog into the history that predictions use.
    History(history::Options),
    /// Lists the stored platforms and their constants.
    Platforms(platforms::Options),
    /// Measures the costs of events on an engine of this machine.
    Calibrate(calibrate::Options),
    /// Prints a shell script that completes commands and options.
    Completions(completions::Options),
    /// Writes the manual pages, one per command, to a folder.
    #[command(hide = true)]
    Man(manual::Options),
}

impl Command {
    /// Returns the command's name.
    fn name(&self) -> &'static str {
        match self {
            Command::Lsp { .. } => "lsp",
            Command::Bounds(_) => "bounds",
            Command::Check(_) => "check",
            Command::Snapshot(_) => "snapshot",
            Command::Diff(_) => "diff",
            Command::Explain(_) => "explain",
            Command::Fix(_) => "fix",
            Command::Verify(_) => "verify",
            Command::Run(_) => "run",
            Command::Profile(_) => "profile",
            Command::Validate(_) => "validate",
            Command::Report(_) => "report",
            Command::Predict(_) => "predict",
            Command::History(_) => "history",
            Command::Platforms(_) => "platforms",
            Command::Calibrate(_) => "calibrate",
            Command::Completions(_) => "completions",
            Command::Man(_) => "man",
        }
    }
}

/// Options for reading a program's files and libraries.
#[derive(Args)]
struct ReadingOptions {
    /// A folder to search for `library(…)`; may be given several times. Default: the library folder of the installed SWI-Prolog, if any.
    /// Its files are read, never run.
    #[arg(long, value_name = "FOLDER")]
    library: Vec<PathBuf>,
    /// Search no library folder; only the libraries that ship with Costlens are known.
    #[arg(long, conflicts_with = "library")]
    no_library: bool,
    /// The dialect of the files. Default: the dialect detected in each file, or else SWI-Prolog.
    #[arg(long, value_name = "NAME", value_parser = dialect)]
    dialect: Option<Dialect>,
    /// Do not trust the facts that ship with Costlens about this SWI-Prolog library (`assoc`), or about `all` libraries; only the
    /// libraries' source is used. May be given several times.
    #[arg(long, value_name = "LIBRARY")]
    no_trust: Vec<String>,
    /// The file with the project's settings. Default: the nearest `costlens.toml`, from the first path upwards to the root of its repository.
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    #[command(flatten)]
    cache: CacheOptions,
}

fn dialect(name: &str) -> Result<Dialect, String> {
    Dialect::from_name(name).ok_or_else(|| {
        let names: Vec<&str> = Dialect::ALL.iter().map(|d| d.name()).collect();
        format!("there are {}", names.join(", "))
    })
}

impl ReadingOptions {
    /// Returns the folders of libraries: the project's folders, unless the command names some.
    fn libraries(&self, project: &ProjectFile) -> Libraries {
        if self.no_library {
            Libraries::None
        } else if !self.library.is_empty() {
            Libraries::In(self.library.clone())
        } else if !project.library.is_empty() {
            Libraries::In(project.library.clone())
        } else {
            Libraries::Installed
        }
    }

    /// Returns the settings of the project to which these paths belong.
    ///
    /// # Errors
    /// Fails if the project file is invalid.
    fn project(&self, paths: &[PathBuf]) -> anyhow::Result<ProjectFile> {
        let nearest = || {
            let path = paths.first()?;
            let folder = match path.is_dir() {
                true => path,
                false => path.parent()?,
            };
            project::nearest(folder)
        };
        match self.config.clone().or_else(nearest) {
            Some(file) => Ok(project::read(&file)?),
            None => Ok(ProjectFile::default()),
        }
    }
}

/// The format of results.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// Text for people.
    Text,
    /// JSON for programs, stable within its schema number.
    Json,
}

/// The outcome of a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum CommandOutcome {
    /// Done, and nothing is wrong: 0.
    Fine,
    /// Done, and something is wrong with the program: 1.
    Wrong,
    /// The call or a file could not be used: 2.
    Unusable,
}

/// Converts an attempt to write beyond a file size limit (`ulimit -f`) to an error, like a full disk, instead of ending the process,
/// because results are more important than a history that does not fit. Children get the system's default behaviour again.
fn outlive_file_limits() {
    #[cfg(unix)]
    {
        let exceeded = std::sync::Arc::default();
        // If the handler cannot be registered, the limit ends the process, which cannot be avoided.
        let _ = signal_hook::flag::register(signal_hook::consts::SIGXFSZ, exceeded);
    }
}

/// Runs the command given by the process's arguments.
pub(crate) fn run() -> ExitCode {
    let arguments = Arguments::parse();
    outlive_file_limits();
    let shared = &arguments.shared;
    shared.color.write_global();
    let log = match output::Log::new(shared.quiet, shared.verbose, shared.log_file.as_deref()) {
        Ok(log) => log,
        Err(error) => {
            output::complain(&error);
            return ExitCode::from(2);
        }
    };
    let _command = tracing::info_span!("command", name = arguments.command.name()).entered();
    let outcome = match arguments.command {
        Command::Lsp { cache, .. } => match crate::lsp::serve(cache.summaries(&log)) {
            Ok(code) => return code,
            Err(error) => Err(error),
        },
        Command::Bounds(options) => bounds::run(&options, &log),
        Command::Check(options) => check::run(&options, &log),
        Command::Snapshot(options) => snapshot::run(&options, &log),
        Command::Diff(options) => diff::run(&options, &log),
        Command::Explain(options) => explain::run(&options, &log),
        Command::Fix(options) => fix::run(&options, &log),
        Command::Verify(options) => verify::run(&options, &log),
        Command::Run(options) => run::run(&options, &log),
        Command::Profile(options) => profile::run(&options, &log),
        Command::Validate(options) => validate::run(&options, &log),
        Command::Report(options) => report::run(&options, &log),
        Command::Predict(options) => predict::run(&options, &log),
        Command::History(options) => history::run(&options, &log),
        Command::Platforms(options) => platforms::run(&options, &log),
        Command::Calibrate(options) => calibrate::run(&options, &log),
        Command::Completions(options) => completions::run(&options, Arguments::command()),
        Command::Man(options) => manual::run(&options, Arguments::command()),
    };
    match outcome {
        Ok(CommandOutcome::Fine) => ExitCode::SUCCESS,
        Ok(CommandOutcome::Wrong) if shared.exit_zero => ExitCode::SUCCESS,
        Ok(CommandOutcome::Wrong) => ExitCode::from(1),
        Ok(CommandOutcome::Unusable) => ExitCode::from(2),
        Err(error) if is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            log.error(&format!("{error:#}"));
            ExitCode::from(2)
        }
    }
}

/// Returns whether the reader of standard output has closed it.
fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error
        .downcast_ref::<std::io::Error>()
        .is_some_and(|e| e.kind() == std::io::ErrorKind::BrokenPipe)
}
