//! Runs inputs on the embedded machine, and counts up to the first solution and over all solutions.

use std::cell::RefCell;
use std::time::{Duration, Instant};

use costlens_machine::generate::Input;
use costlens_machine::{Answer, Limit, Limits, Machine};

use super::kept::RunSample;
use crate::profiling::running::Clock;

/// The number of solutions after which a run is stopped; its count is then a lower limit.
const MOST_SOLUTIONS: usize = 10_000;
/// The number of cells left over by earlier runs above which a new machine is used.
const MOST_CELLS: usize = 1 << 20;

/// The counts of a run up to some point, by resource.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct CountedRun {
    pub(super) counts: Vec<u64>,
    /// True if the run has ended in success or failure at this point; only then lower bounds apply.
    pub(super) complete: bool,
}

/// The counts of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Ran {
    /// Up to the first solution, the failure or the exception.
    pub(super) first: CountedRun,
    /// Over all solutions.
    pub(super) all: CountedRun,
    /// The limit that cut off the run, if any.
    pub(super) limit: Option<Limit>,
}

/// Runs inputs one after another on a machine.
pub(super) struct Runner<'r> {
    program: &'r Machine,
    machine: Machine,
    limits: Limits,
    /// True if a run may have side effects, so that each run gets its own machine.
    fresh: bool,
    deadline: Instant,
    /// The names of the counted events.
    events: &'r [String],
    /// The runs recorded for predictions, if requested.
    kept: Option<&'r RefCell<RunSample>>,
}

impl<'r> Runner<'r> {
    /// Creates a runner for a loaded program.
    pub(super) fn new(
        program: &'r Machine,
        limits: Limits,
        fresh: bool,
        deadline: Instant,
        events: &'r [String],
        kept: Option<&'r RefCell<RunSample>>,
    ) -> Self {
        let mut runner = Runner {
            program,
            machine: program.fork(),
            limits,
            fresh,
            deadline,
            events,
            kept,
        };
        runner.renew();
        runner
    }

    fn renew(&mut self) {
        self.machine = self.program.fork();
        self.machine.set_limits(self.limits);
    }

    /// Returns whether the time limit has been reached.
    pub(super) fn is_late(&self) -> bool {
        Instant::now() >= self.deadline
    }

    /// Runs an input for all its solutions. Returns `None` if the time limit has been reached. `keep` marks runs that may be recorded for
    /// predictions.
    pub(super) fn run(&mut self, input: &Input, keep: bool) -> Option<Ran> {
        let left = self.deadline.saturating_duration_since(Instant::now());
        if left == Duration::ZERO {
            return None;
        }
        if self.fresh || self.machine.store.used() > MOST_CELLS + self.program.store.used() {
            self.renew();
        }
        let machine = &mut self.machine;
        machine.output.clear();
        let goal = (machine.store).read_in(&input.terms, input.goal, &mut Vec::new());
        machine.forget_counts();
        machine.start(goal);
        let clock = Clock::with_limit(machine, left);
        let ran = self.answers(keep.then_some(input));
        clock.stop();
        if ran.limit.is_some() {
            // An interrupted machine is not used again.
            self.renew();
        }
        Some(ran)
    }

    fn answers(&mut self, keep: Option<&Input>) -> Ran {
        let mut ran = Ran::default();
        let begun = Instant::now();
        for solutions in 0.. {
            let answer = self.machine.next_answer();
            if solutions == 0
                && let (Some(input), Some(kept)) = (keep, self.kept)
                && let Answer::Yes { .. } | Answer::No = answer
            {
                let succeeded = matches!(answer, Answer::Yes { .. });
                (kept.borrow_mut()).note(&self.machine, input, succeeded, begun.elapsed());
            }
            let more = matches!(answer, Answer::Yes { .. });
            if solutions > 0 && more && solutions < MOST_SOLUTIONS {
                continue;
            }
            let now = CountedRun {
                counts: self.counts(),
                complete: matches!(answer, Answer::Yes { .. } | Answer::No),
            };
            if solutions == 0 {
                ran.first = now.clone();
            }
            if !more || solutions >= MOST_SOLUTIONS {
                ran.all = CountedRun {
                    complete: now.complete && !more,
                    ..now
                };
                ran.limit = match answer {
                    Answer::Limit(limit) => Some(limit),
                    _ => None,
                };
                break;
            }
        }
        ran
    }

    fn counts(&self) -> Vec<u64> {
        if let [steps] = self.events
            && steps == "steps"
        {
            return vec![self.machine.steps()];
        }
        let events = self.machine.events();
        let count = |name: &String| events.get(name.as_str()).copied().unwrap_or(0);
        self.events.iter().map(count).collect()
    }
}
