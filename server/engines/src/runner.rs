//! The processes of a run, one after another, for any engine.
//!
//! The driver reports a workload that throws, and continues. A workload that ends the process, floods its output or never ends is
//! identified by the last line of output; the process is run again without that workload. If the engine does not compile the program, or
//! the process is silent because it has not loaded it, the faulty workloads are found by bisection.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use tempfile::TempDir;

use crate::child::{self, ChildCommand, ChildLimit, ChildOutcome, End, Limits};
use crate::engine::{Engine, Error, Progress, Reason, WorkloadOutcome};
use crate::file::{self, Dialect, prefix};
use crate::heard::{LineAssembler, MeasuredLoop, ParsedLine};
use crate::random::Random;
use crate::text::{Renamed, renamed};
use crate::timed::{Least, Plan, Process, Timing, Workload};

/// The engine-specific part of a run.
pub(crate) trait Starter: Engine {
    fn dialect(&self) -> Dialect;
    /// Returns the number of processes that run the same compiled program.
    fn copies(&self) -> u32 {
        1
    }
    /// Compiles a program.
    fn compile(&self, text: &str, folder: &Path, cancel: &AtomicBool) -> Result<Compiled, Error>;
    /// Returns the call that runs a compiled program.
    fn start(&self, folder: &Path, copy: u32) -> Result<ChildCommand, Error>;
}

pub(crate) enum Compiled {
    Ready,
    /// The compiler rejects the program with this message.
    Refused(String),
}

/// The name of a program in its folder.
pub(crate) const PROGRAM: &str = "workloads.pl";

/// The maximum length of the stack padding.
const PADDING: usize = 8192;

/// The limit on output: the driver's lines need less than a hundredth of it.
const OUTPUT: usize = 16 << 20;

/// The maximum time of a process, regardless of its output.
const LONGEST: Duration = Duration::from_secs(3600);

/// Times workloads on an engine.
pub(crate) fn time(
    starter: &dyn Starter,
    workloads: &[Workload],
    plan: &Plan,
    before: &[Process],
    progress: &mut dyn FnMut(Progress),
    cancel: &AtomicBool,
) -> Result<Vec<WorkloadOutcome>, Error> {
    let mut run = MeasuringRun::new(starter, workloads, plan, progress, cancel);
    let mut number = 0;
    for process in before {
        run.keep(process);
        number += 1;
    }
    while number < run.processes() && !run.is_over() {
        let layout = number / starter.copies();
        let folder = tempfile::Builder::new()
            .prefix("costlens-engine-")
            .tempdir()?;
        if !run.compiled(layout, &folder)? {
            continue;
        }
        for copy in number % starter.copies()..starter.copies() {
            if run.is_over() || !run.process(number, copy, &folder)? {
                break;
            }
            number += 1;
        }
    }
    Ok(run.outcomes())
}

/// The least time of one execution in any window of a process, and the number of repetitions in that window.
#[derive(Clone, Copy)]
struct Window {
    ns: f64,
    repetitions: u64,
}

struct MeasuringRun<'a> {
    starter: &'a dyn Starter,
    workloads: &'a [Workload],
    plan: &'a Plan,
    progress: &'a mut dyn FnMut(Progress),
    cancel: &'a AtomicBool,
    texts: Vec<Option<Renamed>>,
    failed: BTreeMap<usize, Reason>,
    repetitions: BTreeMap<usize, u64>,
    /// The results of each process, by workload.
    heard: Vec<Vec<Least>>,
}

impl<'a> MeasuringRun<'a> {
    fn new(
        starter: &'a dyn Starter,
        workloads: &'a [Workload],
        plan: &'a Plan,
        progress: &'a mut dyn FnMut(Progress),
        cancel: &'a AtomicBool,
    ) -> Self {
        let mut run = Self {
            starter,
            workloads,
            plan,
            progress,
            cancel,
            texts: Vec::new(),
            failed: BTreeMap::new(),
            repetitions: BTreeMap::new(),
            heard: vec![Vec::new(); workloads.len()],
        };
        for (number, workload) in workloads.iter().enumerate() {
            let text = match renamed(workload, &prefix(number)) {
                Ok(text) => Some(text),
                Err(wrong) => {
                    run.fail(number, wrong.into());
                    None
                }
            };
            run.texts.push(text);
        }
        run
    }

    fn processes(&self) -> u32 {
        self.plan.processes.max(1) * self.starter.copies()
    }

    fn is_over(&self) -> bool {
        self.cancel.load(Ordering::Relaxed) || self.failed.len() == self.workloads.len()
    }

    /// Marks a workload as failed. The first reason is kept, since another copy of the program may fail again.
    fn fail(&mut self, number: usize, reason: Reason) {
        if let Entry::Vacant(place) = self.failed.entry(number) {
            let workload = &self.workloads[number].name;
            let reason = place.insert(reason);
            (self.progress)(Progress::Failed { workload, reason });
        }
    }

    fn program(&self, numbers: impl Iterator<Item = usize>, layout: u32) -> String {
        self.program_of(numbers, layout, file::rounds(self.plan))
    }

    fn program_of(&self, numbers: impl Iterator<Item = usize>, layout: u32, rounds: u32) -> String {
        let works: Vec<file::WorkloadText> = numbers
            .filter_map(|number| {
                Some(file::WorkloadText {
                    number,
                    inputs: &self.workloads[number].inputs,
                    text: self.texts[number].as_ref()?,
                    repetitions: self.repetitions.get(&number).copied(),
                })
            })
            .collect();
        let mut random = Random::new(self.plan.seed ^ u64::from(layout));
        let dialect = self.starter.dialect();
        file::program(&dialect, &works, self.plan, rounds, &mut random)
    }

    /// Returns the workloads that have not failed.
    fn left(&self) -> Vec<usize> {
        (0..self.workloads.len())
            .filter(|n| !self.failed.contains_key(n))
            .collect()
    }

    /// Compiles all remaining workloads. If the engine rejects some, these are left out.
    fn compiled(&mut self, layout: u32, folder: &TempDir) -> Result<bool, Error> {
        let text = self.program(self.left().into_iter(), layout);
        match self.starter.compile(&text, folder.path(), self.cancel) {
            Ok(Compiled::Ready) => Ok(true),
            Ok(Compiled::Refused(said)) => self.without_refused(folder, said),
            Err(Error::Cancelled) => Ok(false),
            Err(error) => Err(error),
        }
    }

    fn broken(&self, said: String) -> Error {
        Error::Broken {
            engine: self.starter.name(),
            said,
        }
    }

    /// Runs one process. Returns whether it is valid: if a workload has ended the process, it must run again without that workload.
    fn process(&mut self, number: u32, copy: u32, folder: &TempDir) -> Result<bool, Error> {
        let of = self.processes();
        (self.progress)(Progress::Process { number, of });
        let mut call = self.starter.start(folder.path(), copy)?;
        let mut random = Random::new(!self.plan.seed ^ u64::from(number));
        let padding = "x".repeat(random.below(PADDING));
        call.environment
            .push(("COSTLENS_PADDING".into(), padding.into()));
        call.folder = Some(folder.path().to_path_buf());
        let mut heard = Heard::default();
        let mut lines = LineAssembler::default();
        let cancel = self.cancel;
        let ended = child::run(&call, &self.limits(), cancel, &mut |piece| {
            for said in lines.take(piece) {
                self.take(number, &mut heard, said);
            }
        })?;
        if !heard.complete && ended.end != End::Cancelled {
            let Some(MeasuredLoop::Goal(culprit)) = heard.at else {
                let said = last_words(&ended);
                return match heard.at {
                    None => self.without_refused(folder, said),
                    Some(_) => Err(self.broken(said)),
                };
            };
            self.fail(culprit, reason(&ended));
            return Ok(false);
        }
        let process = self.process_of(&heard);
        self.keep(&process);
        if heard.complete {
            (self.progress)(Progress::Complete { process: &process });
        }
        Ok(true)
    }

    /// Returns the limits of a process.
    fn limits(&self) -> Limits {
        Limits {
            wall: LONGEST,
            cpu: None,
            output: OUTPUT,
            silence: Some(self.plan.patience),
            ..Limits::default()
        }
    }

    /// Leaves out the workloads that the engine does not compile or load: some systems accept a file only as a whole. Always returns false,
    /// because no program is ready.
    ///
    /// # Errors
    /// Returns an error if no single workload is at fault, or if the engine does not load even a program without workloads: then the engine
    /// is broken, and `said` is its output.
    fn without_refused(&mut self, folder: &TempDir, said: String) -> Result<bool, Error> {
        let before = self.failed.len();
        let mut groups = Vec::new();
        if self.refusal_of(&[], folder)?.is_none() {
            groups.push(self.left());
        }
        while let Some(group) = groups.pop() {
            let Some(said) = self.refusal_of(&group, folder)? else {
                continue;
            };
            if let [number] = group[..] {
                self.fail(number, Reason::Refused(said));
            } else {
                let (first, second) = group.split_at(group.len() / 2);
                groups.extend([second.to_vec(), first.to_vec()]);
            }
        }
        match self.failed.len() > before || self.is_over() {
            true => Ok(false),
            false => Err(self.broken(said)),
        }
    }

    /// Returns the last output of an engine that fails to load workloads, or `None` if it loads them or was cancelled.
    fn refusal_of(&self, numbers: &[usize], folder: &TempDir) -> Result<Option<String>, Error> {
        let text = self.program_of(numbers.iter().copied(), 0, 0);
        match self.starter.compile(&text, folder.path(), self.cancel) {
            Ok(Compiled::Ready) => {}
            Ok(Compiled::Refused(said)) => return Ok(Some(said)),
            Err(Error::Cancelled) => return Ok(None),
            Err(error) => return Err(error),
        }
        let mut call = self.starter.start(folder.path(), 0)?;
        call.folder = Some(folder.path().to_path_buf());
        let mut lines = LineAssembler::default();
        let mut is_loaded = false;
        let ended = child::run(&call, &self.limits(), self.cancel, &mut |piece| {
            is_loaded |= lines
                .take(piece)
                .iter()
                .any(|said| matches!(said, ParsedLine::End));
        })?;
        let is_refused = !is_loaded && ended.end != End::Cancelled;
        Ok(is_refused.then(|| last_words(&ended)))
    }

    fn take(&mut self, process: u32, heard: &mut Heard, said: ParsedLine) {
        let known = |work: MeasuredLoop| {
            matches!(work, MeasuredLoop::Empty(_))
                || matches!(work, MeasuredLoop::Goal(n) if n < self.workloads.len())
        };
        match said {
            ParsedLine::At(work) if known(work) => heard.at = Some(work),
            ParsedLine::Time {
                work,
                repetitions,
                seconds,
            } if known(work) => {
                let ns = seconds * 1e9 / repetitions as f64;
                let least = heard
                    .least
                    .entry(work)
                    .or_insert(Window { ns, repetitions });
                if ns < least.ns {
                    *least = Window { ns, repetitions };
                }
                if let MeasuredLoop::Goal(n) = work {
                    let workload = &self.workloads[n].name;
                    (self.progress)(Progress::Measured {
                        process,
                        workload,
                        ns,
                    });
                }
            }
            ParsedLine::Error(MeasuredLoop::Goal(n), term) if n < self.workloads.len() => {
                self.fail(n, Reason::Exception(term))
            }
            ParsedLine::SetupFailed(MeasuredLoop::Goal(n)) if n < self.workloads.len() => {
                self.fail(n, Reason::SetupFailed)
            }
            ParsedLine::End => heard.complete = true,
            _ => {}
        }
    }

    /// Returns the times that a process has measured: of all workloads, or of the workloads measured before it was cancelled.
    fn process_of(&self, heard: &Heard) -> Process {
        let least = |(number, workload): (usize, &Workload)| {
            let goal = heard.least.get(&MeasuredLoop::Goal(number))?;
            let empty = heard
                .least
                .get(&MeasuredLoop::Empty(workload.inputs.len()))?;
            Some((goal.ns, empty.ns, goal.repetitions))
        };
        self.workloads.iter().enumerate().map(least).collect()
    }

    fn keep(&mut self, process: &Process) {
        for (number, least) in process.iter().enumerate().take(self.workloads.len()) {
            if let &Some((_, _, repetitions)) = least {
                self.repetitions.entry(number).or_insert(repetitions);
                self.heard[number].extend(*least);
            }
        }
    }

    fn outcomes(mut self) -> Vec<WorkloadOutcome> {
        let outcome = |(number, workload): (usize, &Workload)| {
            let name = workload.name.clone();
            if let Some(reason) = self.failed.remove(&number) {
                return WorkloadOutcome::Untimed { name, reason };
            }
            match Timing::new(&name, &self.heard[number]) {
                Some(timing) => WorkloadOutcome::Timed(timing),
                None => WorkloadOutcome::Untimed {
                    name,
                    reason: Reason::Cancelled,
                },
            }
        };
        self.workloads.iter().enumerate().map(outcome).collect()
    }
}

/// The output of one process, parsed.
#[derive(Default)]
struct Heard {
    at: Option<MeasuredLoop>,
    least: BTreeMap<MeasuredLoop, Window>,
    complete: bool,
}

fn reason(ended: &ChildOutcome) -> Reason {
    match ended.end {
        End::Limit(ChildLimit::Silence | ChildLimit::Wall | ChildLimit::Cpu) => Reason::TooSlow,
        End::Limit(ChildLimit::Output) => Reason::Flooded,
        _ => Reason::Died(last_words(ended)),
    }
}

/// Returns how a process ended, and the last lines that it wrote.
pub(crate) fn last_words(ended: &ChildOutcome) -> String {
    let end = match ended.end {
        End::Exited(code) => format!("exit code {code}"),
        End::Signal(signal) => format!("signal {signal}"),
        End::Limit(limit) => format!("at the limit ({limit:?})"),
        End::Cancelled => "cancelled".to_owned(),
    };
    let written = if ended.stderr.is_empty() {
        &ended.stdout
    } else {
        &ended.stderr
    };
    let text = String::from_utf8_lossy(written);
    let mut last: Vec<&str> = text
        .lines()
        .filter(|line| !line.trim().is_empty())
        .rev()
        .take(3)
        .collect();
    last.reverse();
    let words: String = last.join("; ").chars().take(400).collect();
    if words.is_empty() {
        end
    } else {
        format!("{end}: {words}")
    }
}
