//! Runs of goals on the embedded machine: what `run` and `profile` share.

use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::sync::mpsc;
use std::time::{Duration, Instant};

use clap::Args;
use costlens_ide::host::{File, Host};
use costlens_ide::reports::runnable::Runnable;
use costlens_machine::{Answer, Cell, Limit, Limits, Machine};
use costlens_profile::defined;
use smol_str::SmolStr;

use super::code::IndexOn;
use super::output::Log;
use super::{Outcome, files, interrupted};
use crate::disk::reader::Reader;

#[derive(Args)]
pub(super) struct RunningOptions {
    /// The program.
    pub(super) file: PathBuf,
    /// The goal, as at a prompt: `nrev([1,2,3], X)`.
    #[arg(long, short)]
    pub(super) goal: String,
    /// Every solution, not only the first.
    #[arg(long)]
    pub(super) all: bool,
    /// Which arguments of a call choose clauses; the answers are the same.
    #[arg(long, value_enum, default_value = "first")]
    pub(super) index: IndexOn,
    /// Seconds after which the run ends.
    #[arg(long, value_name = "SECONDS", default_value_t = 10.0, value_parser = seconds)]
    pub(super) limit_time: f64,
    /// Megabytes of terms and stacks at which the run ends.
    #[arg(long, value_name = "MB", default_value_t = 1024)]
    pub(super) limit_memory: usize,
    /// Calls after which the run ends; no limit unless given.
    #[arg(long, value_name = "CALLS")]
    pub(super) limit_steps: Option<u64>,
}

fn seconds(text: &str) -> Result<f64, String> {
    match text.parse() {
        // More would overflow a deadline.
        Ok(s) if (0.0..=1e9).contains(&s) => Ok(s),
        _ => Err("a number of seconds is expected".to_owned()),
    }
}

/// A program that is read.
pub(super) struct Read {
    pub(super) host: Host,
    pub(super) file: File,
    pub(super) program: Runnable,
    name: String,
}

/// A program that is loaded, and a goal that was read.
pub(super) struct Prepared {
    pub(super) host: Host,
    pub(super) file: File,
    pub(super) program: Runnable,
    pub(super) machine: Machine,
    pub(super) goal: Cell,
    pub(super) variables: Vec<(SmolStr, Cell)>,
    limit_time: Duration,
    begun: Instant,
}

/// Reads a program, with the files that it loads.
///
/// # Errors
/// The file cannot be read.
pub(super) fn read(options: &RunningOptions, log: &Log) -> anyhow::Result<Read> {
    read_file(&options.file, log)
}

/// Reads the program of a file.
///
/// # Errors
/// As of [`read`].
pub(super) fn read_file(path: &Path, log: &Log) -> anyhow::Result<Read> {
    let source = files::read_file(path, log)?;
    let mut host = Host::unedited();
    let file = host.open_at(&source.name, &source.place, &source.text);
    // What the machine has of libraries is its own.
    Reader::default().read(&mut host, &[file]);
    let program = host.snapshot().program(file).map_err(interrupted)?;
    Ok(Read {
        host,
        file,
        program,
        name: source.name,
    })
}

/// The goal `run_tests` of a program with tests of plunit, which the machine has not: the body of each test to its first solution, whatever
/// becomes of it, with the inputs that it is to be run for.
const RUN_TESTS: &str = "(   clause(test(_), Body),
    \\+ \\+ catch(( Body -> true ; true ), _, true),
    fail
;   clause(test(_, Options), Body),
    (   ( Options = forall(Inputs) ; is_list(Options), memberchk(forall(Inputs), Options) )
    ->  true
    ;   Inputs = true
    ),
    catch(Inputs, _, fail),
    \\+ \\+ catch(( Body -> true ; true ), _, true),
    fail
;   true
)";

fn is_run_tests(goal: &str, program: &Runnable) -> bool {
    let is_it = |(name, arity): (SmolStr, usize)| name == "run_tests" && arity == 0;
    let own = { program.parts.iter() }.any(|part| defined(&part.terms).into_iter().any(is_it));
    goal.trim() == "run_tests" && !own
}

/// Loads a program; none where the goal is no term, which is told.
///
/// # Errors
/// The file cannot be read.
pub(super) fn prepare(
    options: &RunningOptions,
    counting: bool,
    log: &Log,
) -> anyhow::Result<Option<Prepared>> {
    let mut machine = machine(options, counting);
    let begun = Instant::now();
    let limit_time = Duration::from_secs_f64(options.limit_time);
    // Directives count towards the time, too.
    let clock = Clock::start(&machine, limit_time);
    let Read {
        host,
        file,
        program,
        name,
    } = read(options, log)?;
    load(&mut machine, &program, &name, log);
    clock.stop();
    let tests = is_run_tests(&options.goal, &program);
    let (goal, variables) = match machine.read_goal(match tests {
        true => RUN_TESTS,
        false => &options.goal,
    }) {
        Ok((goal, _)) if tests => (goal, Vec::new()),
        Ok(read) => read,
        Err(message) => {
            log.error(&format!("the goal is no term: {message}"));
            return Ok(None);
        }
    };
    log.detail(&format!("loaded in {:?}", begun.elapsed()));
    Ok(Some(Prepared {
        host,
        file,
        program,
        machine,
        goal,
        variables,
        limit_time,
        begun,
    }))
}

impl Prepared {
    /// Runs the goal to its first answer, or for all of them, in what is left of the time.
    pub(super) fn run(&mut self, all: bool) -> Ran {
        let left = self.limit_time.saturating_sub(self.begun.elapsed());
        run(&mut self.machine, self.goal, &self.variables, all, left)
    }

    /// Runs the goal on a machine of its own, which has been prepared further, in the whole time.
    pub(super) fn run_on(&self, machine: &mut Machine, all: bool) -> Ran {
        run(machine, self.goal, &self.variables, all, self.limit_time)
    }
}

/// A machine with the limits that are asked for.
fn machine(options: &RunningOptions, counting: bool) -> Machine {
    let limits = Limits {
        steps: options.limit_steps,
        cells: options.limit_memory.saturating_mul((1 << 20) / 8),
        ..Limits::default()
    };
    let mut machine = match counting {
        true => Machine::counting(limits),
        false => Machine::new(limits),
    };
    machine.set_indexing(options.index.into());
    machine
}

/// A thread that interrupts a machine after some time.
struct Clock {
    done: mpsc::Sender<()>,
    thread: std::thread::JoinHandle<()>,
}

impl Clock {
    fn start(machine: &Machine, deadline: Duration) -> Self {
        let interrupt = machine.interrupt();
        let (done, waiting) = mpsc::channel::<()>();
        let thread = std::thread::spawn(move || {
            if waiting.recv_timeout(deadline) == Err(mpsc::RecvTimeoutError::Timeout) {
                interrupt.store(true, Ordering::Relaxed);
            }
        });
        Clock { done, thread }
    }

    fn stop(self) {
        drop(self.done);
        let _ = self.thread.join();
    }
}

/// Loads a program; what cannot be loaded is told.
fn load(machine: &mut Machine, program: &Runnable, name: &str, log: &Log) {
    if let Some(reason) = &program.left_out {
        log.warning(&format!(
            "only `{name}` is loaded, since a run has no modules: {reason}"
        ));
    }
    let texts: Vec<_> = (program.parts.iter())
        .map(|part| (part.text.as_str(), part.terms.as_ref()))
        .collect();
    for (number, error) in machine.load_in_order(&texts, &program.order) {
        let name = (program.parts.get(number)).map_or(name, |part| &part.name);
        log.warning(&format!("{name}: {error}"));
    }
}

/// The answers of a goal.
#[derive(Default)]
pub(super) struct Ran {
    /// `success`, `failure`, `exception` or `limit`.
    pub(super) result: &'static str,
    pub(super) limit: Option<Limit>,
    /// The variables of the goal and their terms, for each solution.
    pub(super) bindings: Vec<Vec<(String, String)>>,
    pub(super) exception: Option<String>,
    pub(super) elapsed: Duration,
    pub(super) output: String,
}

fn run(
    machine: &mut Machine,
    goal: Cell,
    variables: &[(SmolStr, Cell)],
    all: bool,
    deadline: Duration,
) -> Ran {
    let clock = Clock::start(machine, deadline);
    machine.start(goal);
    let mut ran = Ran {
        result: "failure",
        ..Ran::default()
    };
    let started = Instant::now();
    loop {
        match machine.next_answer() {
            Answer::Yes { more } => {
                ran.result = "success";
                ran.elapsed = started.elapsed();
                let shown = variables.iter().map(|(name, cell)| {
                    let text = machine.text_of(*cell, variables);
                    (name.to_string(), text)
                });
                ran.bindings.push(shown.collect());
                if all && more {
                    continue;
                }
                break;
            }
            Answer::No => {}
            Answer::Error(ball) => {
                ran.result = "exception";
                ran.exception = Some(machine.text_of(ball, variables));
            }
            Answer::Limit(limit) => {
                ran.result = "limit";
                ran.limit = Some(limit);
            }
        }
        ran.elapsed = started.elapsed();
        break;
    }
    clock.stop();
    ran.output.clone_from(&machine.output);
    ran
}

impl Ran {
    /// The exit code, as `swipl -g` has it.
    pub(super) fn outcome(&self) -> Outcome {
        match self.result {
            "success" => Outcome::Fine,
            _ => Outcome::Wrong,
        }
    }

    /// The text as at a prompt: what was written, then the solutions.
    pub(super) fn as_text(&self) -> String {
        let mut out = self.output.clone();
        if !out.is_empty() && !out.ends_with('\n') {
            out.push('\n');
        }
        for (number, solution) in self.bindings.iter().enumerate() {
            // A variable that is still itself says nothing.
            let said: Vec<String> = (solution.iter())
                .filter(|(name, term)| name != term)
                .map(|(name, term)| format!("{name} = {term}"))
                .collect();
            let last = number + 1 == self.bindings.len();
            let said = match said.is_empty() {
                true => "true".to_owned(),
                false => said.join(",\n"),
            };
            out.push_str(&format!("{said}{}\n", if last { "" } else { " ;" }));
        }
        match self.result {
            "failure" => out.push_str("false\n"),
            "exception" => {
                let exception = self.exception.as_deref().unwrap_or_default();
                out.push_str(&format!("exception: {exception}\n"));
            }
            "limit" => {
                let limit = self.limit.map(|l| l.to_string()).unwrap_or_default();
                out.push_str(&format!("{limit} reached\n"));
            }
            _ => {}
        }
        out
    }
}
