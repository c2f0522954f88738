//! Runs goals on the embedded machine within limits, for `run`, `profile` and the language server.

use std::borrow::Cow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use costlens_ide::host::{File, Host};
use costlens_ide::present::reach::thousands;
use costlens_ide::reports::runnable::Runnable;
use costlens_machine::generate::Input;
use costlens_machine::{Answer, Cell, Indexing, Limit, Limits, Machine};
use costlens_profile::judging::{FAILED, JudgedTest, judging};
use costlens_profile::{defined, units};
use costlens_syntax::FileTerms;
use smol_str::SmolStr;

/// A goal to be run, with its limits.
#[derive(Clone, Debug)]
pub(crate) struct ProfiledGoal {
    /// The text of the goal, as at a prompt; for generated calls, the called predicate.
    pub(crate) text: String,
    /// Generated calls, which are run one after another instead of the goal.
    pub(crate) calls: Vec<Input>,
    /// True for all solutions, not only the first.
    pub(crate) all: bool,
    /// The arguments that select clauses.
    pub(crate) indexing: Indexing,
    /// The time limit, in seconds.
    pub(crate) seconds: f64,
    /// The limit on terms and stacks, in megabytes.
    pub(crate) megabytes: usize,
    /// The maximum number of calls; `None` for no limit.
    pub(crate) steps: Option<u64>,
}

/// A program that has been read.
pub(crate) struct Read {
    pub(crate) host: Host,
    pub(crate) file: File,
    pub(crate) program: Runnable,
    /// The file's name.
    pub(crate) name: String,
    /// The names of files whose texts differ from those on disk.
    pub(crate) edited: Vec<String>,
}

/// A loaded program with a parsed goal.
pub(crate) struct Prepared {
    pub(crate) host: Host,
    pub(crate) file: File,
    pub(crate) program: Runnable,
    pub(crate) machine: Machine,
    pub(crate) goal: Cell,
    pub(crate) variables: Vec<(SmolStr, Cell)>,
    /// Calls to run instead of the goal.
    calls: Vec<Cell>,
    /// The tests that the goal runs, if it is a plunit goal.
    tests: Option<Vec<JudgedTest>>,
    /// Messages about the program.
    pub(crate) said: Vec<String>,
    limit_time: Duration,
    begun: Instant,
    cancel: Arc<AtomicBool>,
}

/// The reason why a goal cannot be run.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Unrunnable {
    /// It is not a term.
    #[error("the goal is not a term: {0}")]
    NoTerm(String),
    /// The program has no such test.
    #[error("`{0}` is not a test of the program")]
    NoTest(String),
}

/// Returns the tests that a goal selects. Returns `None` if the program defines its own `run_tests`.
fn tests(goal: &str, program: &Runnable) -> Option<units::SelectedTests> {
    let is_it = |(name, arity): (SmolStr, usize)| name == "run_tests" && arity <= 1;
    let asked = units::asked(goal)?;
    let own = { program.parts.iter() }.any(|part| defined(&part.terms).into_iter().any(is_it));
    (!own).then_some(asked)
}

/// Loads a program, and parses a goal. `cancel` ends directives and runs.
///
/// # Errors
/// Fails if the goal is not a term, or selects missing tests.
pub(crate) fn prepare(
    goal: &ProfiledGoal,
    read: Read,
    counting: bool,
    cancel: &Arc<AtomicBool>,
) -> Result<Prepared, Unrunnable> {
    let Read {
        host,
        file,
        mut program,
        name,
        ..
    } = read;
    let begun = Instant::now();
    let tests = tests(&goal.text, &program);
    let files: Vec<&FileTerms> = program.parts.iter().map(|p| p.terms.as_ref()).collect();
    let kept = units::select(tests.as_ref(), &files, &mut program.order);
    if tests.as_ref().is_some_and(units::SelectedTests::names_some) && kept == 0 {
        return Err(Unrunnable::NoTest(goal.text.clone()));
    }
    let judging = tests.map(|_| judging(&files, &program.order));
    let mut machine = machine(goal, counting);
    for text in host.other_library_texts() {
        machine.load_library_text(&text);
    }
    let limit_time = Duration::from_secs_f64(goal.seconds);
    // Directives also count towards the time limit.
    let clock = Clock::start(&machine, limit_time, cancel);
    let said = load(&mut machine, &program, &name);
    clock.stop();
    let read = machine.read_goal(match &judging {
        Some(judging) => &judging.goal,
        None if !goal.calls.is_empty() => "true",
        None => &goal.text,
    });
    let calls = { goal.calls.iter() }
        .map(|call| (machine.store).read_in(&call.terms, call.goal, &mut Vec::new()))
        .collect();
    let (cell, variables) = read.map_err(Unrunnable::NoTerm)?;
    Ok(Prepared {
        host,
        file,
        program,
        machine,
        goal: cell,
        variables: match judging {
            Some(_) => { variables.into_iter() }
                .filter(|(name, _)| name == FAILED)
                .collect(),
            None => variables,
        },
        calls,
        tests: judging.map(|judging| judging.tests),
        said,
        limit_time,
        begun,
        cancel: Arc::clone(cancel),
    })
}

impl Prepared {
    /// Runs the goal in the remaining time, up to the first answer or for all answers.
    pub(crate) fn run(&mut self, all: bool) -> Ran {
        let left = self.limit_time.saturating_sub(self.begun.elapsed());
        let clock = Clock::start(&self.machine, left, &self.cancel);
        let ran = run(&mut self.machine, self.goal, &self.variables, all, clock);
        self.judged(ran)
    }

    /// Adjusts the result of a test run, which fails if some test fails.
    fn judged(&self, mut ran: Ran) -> Ran {
        let Some(tests) = &self.tests else {
            return ran;
        };
        let found = std::mem::take(&mut ran.bindings);
        if ran.result != "success" {
            return ran;
        }
        let failed = found.iter().flatten().find(|(name, _)| name == FAILED);
        let numbers = failed.map_or("", |(_, numbers)| numbers.trim_matches(['[', ']']));
        ran.failed_tests = { numbers.split(',') }
            .filter_map(|number| number.trim().parse::<usize>().ok())
            .filter_map(|number| tests.get(number.checked_sub(1)?))
            .map(|test| format!("test {} of unit {} failed", test.name, test.unit))
            .collect();
        match ran.failed_tests.is_empty() {
            true => ran.bindings = vec![Vec::new()],
            false => ran.result = "failure",
        }
        ran
    }

    /// Runs the goal on another prepared machine, with the full time limit.
    pub(crate) fn run_on(&self, machine: &mut Machine, all: bool) -> Ran {
        let clock = Clock::start(machine, self.limit_time, &self.cancel);
        if self.calls.is_empty() {
            let ran = run(machine, self.goal, &self.variables, all, clock);
            return self.judged(ran);
        }
        let ran = run_calls(machine, &self.calls, all);
        clock.stop();
        ran
    }

    /// Returns the time since the start of loading.
    pub(crate) fn elapsed(&self) -> Duration {
        self.begun.elapsed()
    }

    /// Returns whether the work has been cancelled.
    pub(crate) fn is_cancelled(&self) -> bool {
        self.cancel.load(Ordering::Relaxed)
    }
}

/// Returns a machine with the requested limits.
fn machine(goal: &ProfiledGoal, counting: bool) -> Machine {
    let limits = Limits {
        steps: goal.steps,
        cells: goal.megabytes.saturating_mul((1 << 20) / 8),
        ..Limits::default()
    };
    let mut machine = match counting {
        true => Machine::counting(limits),
        false => Machine::new(limits),
    };
    machine.set_indexing(goal.indexing);
    machine
}

/// The interval between checks whether a run has been cancelled.
const LOOK: Duration = Duration::from_millis(30);

/// A thread that interrupts a machine after a time limit, or when the run is cancelled.
pub(crate) struct Clock {
    done: mpsc::Sender<()>,
    thread: std::thread::JoinHandle<()>,
}

impl Clock {
    /// Creates a clock for a run that cannot be cancelled.
    pub(crate) fn with_limit(machine: &Machine, limit: Duration) -> Self {
        Self::start(machine, limit, &Arc::default())
    }

    fn start(machine: &Machine, limit: Duration, cancel: &Arc<AtomicBool>) -> Self {
        let (interrupt, cancel) = (machine.interrupt(), Arc::clone(cancel));
        let (done, waiting) = mpsc::channel::<()>();
        let thread = std::thread::spawn(move || {
            let begun = Instant::now();
            loop {
                let left = limit.saturating_sub(begun.elapsed());
                let timeout = waiting.recv_timeout(left.min(LOOK));
                if timeout != Err(mpsc::RecvTimeoutError::Timeout) {
                    return;
                }
                if begun.elapsed() >= limit || cancel.load(Ordering::Relaxed) {
                    interrupt.store(true, Ordering::Relaxed);
                    return;
                }
            }
        });
        Clock { done, thread }
    }

    pub(crate) fn stop(self) {
        drop(self.done);
        let _ = self.thread.join();
    }
}

/// Loads a program. Returns messages about it.
pub(crate) fn load(machine: &mut Machine, program: &Runnable, name: &str) -> Vec<String> {
    let mut said = Vec::new();
    if let Some(reason) = &program.left_out {
        said.push(format!(
            "only `{name}` is loaded, since a run has no modules: {reason}"
        ));
    }
    said.extend(program.differences.iter().cloned());
    let texts: Vec<_> = (program.parts.iter())
        .map(|part| (part.text.as_str(), part.terms.as_ref()))
        .collect();
    for (number, error) in machine.load_in_order(&texts, &program.order) {
        let name = (program.parts.get(number)).map_or(name, |part| &part.name);
        said.push(format!("{name}: {error}"));
    }
    said
}

/// The outcome of a goal, with its answers.
#[derive(Default)]
pub(crate) struct Ran {
    /// `success`, `failure`, `exception`, `halt` or `limit`.
    pub(crate) result: &'static str,
    pub(crate) limit: Option<Limit>,
    /// For each solution, the variables of the goal and their values.
    pub(crate) bindings: Vec<Vec<(String, String)>>,
    pub(crate) exception: Option<String>,
    /// The exit code of a run that was ended by `halt/0,1`.
    pub(crate) exit_code: Option<String>,
    pub(crate) elapsed: Duration,
    pub(crate) output: String,
    /// A line for each failed test, if the goal runs tests.
    pub(crate) failed_tests: Vec<String>,
}

fn run(
    machine: &mut Machine,
    goal: Cell,
    variables: &[(SmolStr, Cell)],
    all: bool,
    clock: Clock,
) -> Ran {
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
                let ball = machine.text_of(ball, variables);
                ran.exit_code = exit_code(&ball);
                if ran.exit_code.is_some() {
                    ran.result = "halt";
                } else {
                    ran.result = "exception";
                    ran.exception = Some(ball);
                }
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

/// Returns the exit code in the exception that `halt/0,1` throw.
fn exit_code(ball: &str) -> Option<String> {
    let code = ball.strip_prefix("unwind(halt(")?.strip_suffix("))")?;
    Some(code.to_owned())
}

/// Runs calls one after another, regardless of their results, until a limit is reached.
fn run_calls(machine: &mut Machine, calls: &[Cell], all: bool) -> Ran {
    let mut ran = Ran {
        result: "success",
        ..Ran::default()
    };
    let started = Instant::now();
    'calls: for &call in calls {
        machine.start(call);
        loop {
            match machine.next_answer() {
                Answer::Yes { more: true } if all => {}
                Answer::Limit(limit) => {
                    ran.result = "limit";
                    ran.limit = Some(limit);
                    break 'calls;
                }
                Answer::Yes { .. } | Answer::No | Answer::Error(_) => break,
            }
        }
    }
    ran.elapsed = started.elapsed();
    ran.output.clone_from(&machine.output);
    ran
}

/// The number of characters above which a term is shortened.
const LONGEST_SHOWN: usize = 4_000;

/// The number of characters that are shown of a shortened term.
const SHOWN_OF_LONGER: usize = 1_000;

/// Formats a term for display; a very long term is shortened to its beginning and its length.
fn shown(term: &str) -> Cow<'_, str> {
    let length = term.chars().count();
    if length <= LONGEST_SHOWN {
        return Cow::Borrowed(term);
    }
    let end = term
        .char_indices()
        .nth(SHOWN_OF_LONGER)
        .map_or(0, |(at, _)| at);
    let start = term.get(..end).unwrap_or_default();
    // Cut after the last complete element.
    let start = start
        .rfind(',')
        .and_then(|at| start.get(..=at))
        .unwrap_or(start);
    let length = thousands(&length.to_string());
    Cow::Owned(format!(
        "{start} … (the first {} of {length} characters; `--format json` has them all)",
        thousands(&start.chars().count().to_string())
    ))
}

impl Ran {
    /// Formats the run as at a prompt: first the output of the goal, then the solutions.
    pub(crate) fn as_text(&self) -> String {
        let mut out = self.output.clone();
        if !out.is_empty() && !out.ends_with('\n') {
            out.push('\n');
        }
        for (number, solution) in self.bindings.iter().enumerate() {
            // Omit variables that are still unbound.
            let said: Vec<String> = (solution.iter())
                .filter(|(name, term)| name != term)
                .map(|(name, term)| format!("{name} = {}", shown(term)))
                .collect();
            let last = number + 1 == self.bindings.len();
            let said = match said.is_empty() {
                true => "true".to_owned(),
                false => said.join(",\n"),
            };
            out.push_str(&format!("{said}{}\n", if last { "" } else { " ;" }));
        }
        match self.result {
            "failure" => {
                for line in &self.failed_tests {
                    out.push_str(&format!("{line}\n"));
                }
                out.push_str("false\n");
            }
            "exception" => {
                let exception = self.exception.as_deref().unwrap_or_default();
                out.push_str(&format!("exception: {exception}\n"));
            }
            "halt" => {
                if let Some(code) = self.exit_code.as_ref().filter(|code| *code != "0") {
                    out.push_str(&format!("halted with exit code {code}\n"));
                }
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
