//! Counts the steps of a run, to the first solution and to the end.

use costlens_machine::generate::Input;
use costlens_machine::{Answer, Machine};

use super::Phase;

/// The maximum number of solutions that are enumerated.
const MOST_SOLUTIONS: usize = 300;

/// The steps of a run up to a certain point.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Steps {
    pub(super) steps: u64,
    /// True if the run reached this point without being cut off and without an exception.
    pub(super) complete: bool,
}

/// The step counts of a run.
#[derive(Clone, Copy, Debug)]
pub(super) struct Count {
    first: Steps,
    all: Steps,
}

impl Count {
    /// Returns the steps of a phase.
    pub(super) fn steps(&self, phase: Phase) -> Steps {
        match phase {
            Phase::First => self.first,
            Phase::All => self.all,
        }
    }
}

/// Runs a goal for all its solutions.
pub(super) fn run(machine: &mut Machine, input: &Input) -> Count {
    machine.output.clear();
    let goal = (machine.store).read_in(&input.terms, input.goal, &mut Vec::new());
    machine.forget_counts();
    machine.start(goal);
    let mut first = None;
    for solutions in 0.. {
        let answer = machine.next_answer();
        let complete = matches!(answer, Answer::Yes { .. } | Answer::No);
        let more = matches!(answer, Answer::Yes { .. });
        if more && first.is_some() && solutions < MOST_SOLUTIONS {
            continue;
        }
        let now = Steps {
            steps: machine.steps(),
            complete,
        };
        let first = *first.get_or_insert(now);
        if !more {
            return Count { first, all: now };
        }
        if solutions >= MOST_SOLUTIONS {
            let complete = false;
            return Count {
                first,
                all: Steps { complete, ..now },
            };
        }
    }
    // The loop always returns.
    Count {
        first: Steps::default(),
        all: Steps::default(),
    }
}
