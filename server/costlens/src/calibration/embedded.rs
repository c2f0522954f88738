//! The embedded machine as an engine, which is available without an installed Prolog system.
//!
//! The machine reads no clock, so times are measured around runs: the time of a loop around the goal, minus the time of the same loop
//! around `true`. Both begin with the setup. Thread time is used, so that other running programs have no influence.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use costlens_engines::{
    Engine, Error, Least, Plan, Process, Progress, Reason, Timing, Version, Workload,
    WorkloadOutcome, thread_time,
};
use costlens_events::Event;
use costlens_machine::{Answer, Limits, Machine};
use smol_str::SmolStr;

/// The embedded machine.
pub(super) struct Embedded;

/// A fresh machine with one workload; it corresponds to a process of another engine.
struct FreshMachine<'a> {
    machine: Machine,
    workload: &'a Workload,
}

/// The maximum number of repetitions in a window.
const MOST_REPETITIONS: u64 = 100_000_000;

impl Engine for Embedded {
    fn name(&self) -> String {
        "Costlens's machine".to_owned()
    }

    fn version(&self) -> Result<Version, Error> {
        Ok(Version {
            engine: self.name(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            build: String::new(),
            flags: String::new(),
        })
    }

    fn time(
        &self,
        workloads: &[Workload],
        plan: &Plan,
        before: &[Process],
        progress: &mut dyn FnMut(Progress<'_>),
        cancel: &AtomicBool,
    ) -> Result<Vec<WorkloadOutcome>, Error> {
        let earlier = |i: usize| before.iter().filter_map(move |p| *p.get(i)?).collect();
        let mut heard: Vec<Result<Vec<Least>, Reason>> =
            (0..workloads.len()).map(|i| Ok(earlier(i))).collect();
        let of = plan.processes.max(1);
        for number in before.len() as u32..of {
            progress(Progress::Process { number, of });
            let mut process = Process::new();
            for (workload, heard) in workloads.iter().zip(&mut heard) {
                process.push(None);
                if cancel.load(Ordering::Relaxed) {
                    return Err(Error::Cancelled);
                }
                let Ok(times) = heard else { continue };
                match measured(workload, plan, times.last().map(|&(_, _, n)| n)) {
                    Ok(time) => {
                        times.push(time);
                        process.pop();
                        process.push(Some(time));
                    }
                    Err(reason) => {
                        let workload = &workload.name;
                        progress(Progress::Failed {
                            workload,
                            reason: &reason,
                        });
                        *heard = Err(reason);
                    }
                }
            }
            progress(Progress::Complete { process: &process });
        }
        let outcomes = workloads.iter().zip(heard).map(|(workload, heard)| {
            let untimed = |reason| WorkloadOutcome::Untimed {
                name: workload.name.clone(),
                reason,
            };
            match heard {
                Err(reason) => untimed(reason),
                Ok(times) => Timing::new(&workload.name, &times)
                    .map_or_else(|| untimed(Reason::Cancelled), WorkloadOutcome::Timed),
            }
        });
        Ok(outcomes.collect())
    }
}

/// Measures a workload on a fresh machine.
fn measured(workload: &Workload, plan: &Plan, known: Option<u64>) -> Result<Least, Reason> {
    let mut program = FreshMachine::new(workload)?;
    let window = plan.window.as_secs_f64();
    let mut repetitions = known.unwrap_or(1);
    if known.is_none() {
        // The first run includes the cost of touching memory for the first time, so it is not measured.
        program.time("goal", 1)?;
        loop {
            let time = program.time("goal", repetitions)?.as_secs_f64();
            if time >= 0.7 * window || repetitions >= MOST_REPETITIONS {
                break;
            }
            let enough = (repetitions as f64 * window / time.max(1e-9)).ceil();
            repetitions = (enough as u64).clamp(repetitions + 1, repetitions.saturating_mul(16));
        }
    }
    let mut least = (f64::INFINITY, f64::INFINITY);
    let each = 1e9 / repetitions as f64;
    for _ in 0..plan.windows.max(1) {
        let goal = program.time("goal", repetitions)?.as_secs_f64();
        let empty = program.time("empty", repetitions)?.as_secs_f64();
        least = (least.0.min(goal * each), least.1.min(empty * each));
    }
    Ok((least.0, least.1, repetitions))
}

/// Returns the events of one execution of a workload's goal: machine instructions, and calls of built-ins.
pub(super) fn counts(workload: &Workload) -> Result<BTreeMap<Event, f64>, Reason> {
    let mut program = FreshMachine::load(workload, Machine::counting(Limits::default()))?;
    let mut events = |which: &str| -> Result<BTreeMap<SmolStr, u64>, Reason> {
        program.machine.forget_counts();
        program.time(which, 1)?;
        Ok(program.machine.events())
    };
    let (goal, empty) = (events("goal")?, events("empty")?);
    let mut counts = BTreeMap::new();
    for (name, count) in goal {
        let count = count.saturating_sub(empty.get(&name).copied().unwrap_or(0));
        match name.parse::<Event>() {
            Ok(event @ (Event::Machine(..) | Event::Builtin(..))) if count > 0 => {
                counts.insert(event, count as f64);
            }
            // Steps and heads are also counted, but they are not instructions.
            _ => {}
        }
    }
    Ok(counts)
}

impl<'a> FreshMachine<'a> {
    fn new(workload: &'a Workload) -> Result<Self, Reason> {
        Self::load(workload, Machine::new(Limits::default()))
    }

    fn load(workload: &'a Workload, mut machine: Machine) -> Result<Self, Reason> {
        let arguments: String = workload.inputs.iter().map(|i| format!(", {i}")).collect();
        let clauses = &workload.clauses;
        let goal = &workload.goal;
        let text = format!(
            "{clauses}\n\
             cl_goal(Cl_N{arguments}) :- between(1, Cl_N, _), ({goal}\n), fail.\n\
             cl_goal(_{arguments}).\n\
             cl_empty(Cl_N{arguments}) :- between(1, Cl_N, _), true, fail.\n\
             cl_empty(_{arguments}).\n"
        );
        match machine.load(&text).first() {
            Some(error) => Err(Reason::Refused(error.to_string())),
            None => Ok(Self { machine, workload }),
        }
    }

    /// Returns the time of the setup plus the given number of repetitions.
    fn time(&mut self, which: &str, repetitions: u64) -> Result<Duration, Reason> {
        let Workload { setup, inputs, .. } = self.workload;
        let arguments: String = inputs.iter().map(|i| format!(", {i}")).collect();
        let text = format!("once(({setup})), cl_{which}({repetitions}{arguments})");
        let (goal, _) = self.machine.read_goal(&text).map_err(Reason::Refused)?;
        self.machine.start(goal);
        let begun = thread_time();
        let answer = self.machine.next_answer();
        let time = thread_time().saturating_sub(begun);
        self.machine.output.clear();
        match answer {
            Answer::Yes { .. } => Ok(time),
            Answer::No => Err(Reason::SetupFailed),
            Answer::Error(ball) => Err(Reason::Exception(self.machine.text_of(ball, &[]))),
            Answer::Limit(limit) => Err(Reason::Died(limit.to_string())),
        }
    }
}
